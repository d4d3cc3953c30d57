#pragma once

// c-ares' declarations, with those of the system that it expects its users to have.

// Glibc's types stay Glibc's, in a build of the whole module too.
#pragma clang module import SwiftGlibc

#include <sys/select.h>
#include <sys/socket.h>
#include <netdb.h>
#include <netinet/in.h>
#include <arpa/nameser.h>
#include <ares.h>
