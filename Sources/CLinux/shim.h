#pragma once

// Linux's own system calls that Swift's Glibc module leaves out. Those behind _GNU_SOURCE are declared here, because
// Swift builds C modules without it.

// Types such as timespec stay Glibc's: without this, a build of the whole module (release) finds them in whichever C
// module it happened to read first, and files that import only Glibc do not compile.
#pragma clang module import SwiftGlibc

#include <pthread.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <sys/inotify.h>

#ifndef CLONE_NEWNET
#define CLONE_NEWNET 0x40000000
#endif

int setns(int descriptor, int kind);
int unshare(int kinds);
int pthread_setname_np(pthread_t thread, const char *name);
