#pragma once

#if !defined(__linux__)
#error "netwatch runs on Linux only: it is made of netlink, epoll and Linux's own socket options."
#endif

// Linux's own system calls that Swift's Glibc module leaves out. Those behind _GNU_SOURCE are declared here, because
// Swift builds C modules without it.

// Types such as timespec stay Glibc's: without this, a build of the whole module (release) finds them in whichever C
// module it happened to read first, and files that import only Glibc do not compile.
#pragma clang module import SwiftGlibc

#include <pthread.h>
#include <semaphore.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>

#ifndef CLONE_NEWNET
#define CLONE_NEWNET 0x40000000
#endif

int setns(int descriptor, int kind);
int unshare(int kinds);
pid_t gettid(void);
int pthread_setname_np(pthread_t thread, const char *name);
int pthread_tryjoin_np(pthread_t thread, void **result);
int pthread_clockjoin_np(pthread_t thread, void **result, clockid_t clock, const struct timespec *deadline);
int sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *deadline);

int mallopt(int parameter, int value);
int malloc_trim(size_t pad);
/// Has new threads share the memory that is there already, in the place of an arena of their own (M_ARENA_MAX, mallopt(3)).
static inline int netwatch_share_arenas(void) {
    return mallopt(-8, 1);
}

// Opens a file as a place alone, also a socket (open(2)).
#define NETWATCH_O_PATH 010000000

#ifndef RENAME_NOREPLACE
#define RENAME_NOREPLACE 1
#endif

int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned int flags);
int sync_file_range(int descriptor, int64_t offset, int64_t count, unsigned int flags);
/// Has the disk begin with a part of a file, without waiting for it (SYNC_FILE_RANGE_WRITE, sync_file_range(2)).
static inline int netwatch_start_writeback(int descriptor, int64_t offset, int64_t count) {
    return sync_file_range(descriptor, offset, count, 2);
}

#include "scheduling.h"

#include <sys/ioctl.h>

// winsize itself is in a private module of the Swift toolchain.
static inline int netwatch_window_size(int descriptor, unsigned short *columns, unsigned short *rows) {
    struct winsize size;
    int result = ioctl(descriptor, TIOCGWINSZ, &size);
    *columns = result == 0 ? size.ws_col : 0;
    *rows = result == 0 ? size.ws_row : 0;
    return result;
}
