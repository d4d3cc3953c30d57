#pragma once

// libxml2's push parser and its errors.

// Glibc's types stay Glibc's, in a build of the whole module too.
#pragma clang module import SwiftGlibc

#include <libxml/parser.h>
#include <libxml/xmlerror.h>
