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
#include <sys/signalfd.h>

#ifndef CLONE_NEWNET
#define CLONE_NEWNET 0x40000000
#endif

int setns(int descriptor, int kind);
int unshare(int kinds);
int pthread_setname_np(pthread_t thread, const char *name);

#ifndef RENAME_NOREPLACE
#define RENAME_NOREPLACE 1
#endif

int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned int flags);

#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>

long syscall(long number, ...);

// The first version of struct sched_attr (linux/sched/types.h), under a name that no other header has.
struct netwatch_scheduling {
    uint32_t size;
    uint32_t policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t runtime;
    uint64_t deadline;
    uint64_t period;
};

enum { NETWATCH_SCHED_OTHER = 0, NETWATCH_SCHED_BATCH = 3 };

// How the current thread is scheduled, and how long it may run before another has its turn, in nanoseconds; 0 for the
// kernel's default.
static inline int netwatch_set_scheduling(uint32_t policy, uint64_t nanoseconds) {
    struct netwatch_scheduling scheduling;
    memset(&scheduling, 0, sizeof scheduling);
    if (syscall(SYS_sched_getattr, 0, &scheduling, sizeof scheduling, 0) < 0) return -1;
    // Whoever has chosen another policy knows better.
    if (scheduling.policy != NETWATCH_SCHED_OTHER && scheduling.policy != NETWATCH_SCHED_BATCH) return 0;
    scheduling.size = sizeof scheduling;
    scheduling.policy = policy;
    scheduling.runtime = nanoseconds;
    return (int)syscall(SYS_sched_setattr, 0, &scheduling, 0);
}

#include <sys/ioctl.h>

// winsize itself is in a private module of the Swift toolchain.
static inline int netwatch_window_size(int descriptor, unsigned short *columns, unsigned short *rows) {
    struct winsize size;
    int result = ioctl(descriptor, TIOCGWINSZ, &size);
    *columns = result == 0 ? size.ws_col : 0;
    *rows = result == 0 ? size.ws_row : 0;
    return result;
}
