#pragma once

// sched_setattr(2), which glibc does not have before 2.41. Plain C: the benchmarks include it, too.

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

enum { NETWATCH_SCHED_OTHER = 0, NETWATCH_SCHED_BATCH = 3, NETWATCH_SCHED_RESET_ON_FORK = 1 };

// How the current thread is scheduled, and how long it may run before another has its turn, in nanoseconds; 0 for the
// kernel's default. What the thread starts is scheduled as any other.
static inline int netwatch_set_scheduling(uint32_t policy, uint64_t nanoseconds) {
    struct netwatch_scheduling scheduling;
    memset(&scheduling, 0, sizeof scheduling);
    if (syscall(SYS_sched_getattr, 0, &scheduling, sizeof scheduling, 0) < 0) return -1;
    // A program that has chosen another policy knows better.
    if (scheduling.policy != NETWATCH_SCHED_OTHER && scheduling.policy != NETWATCH_SCHED_BATCH) return 0;
    scheduling.size = sizeof scheduling;
    scheduling.policy = policy;
    scheduling.flags |= NETWATCH_SCHED_RESET_ON_FORK;
    scheduling.runtime = nanoseconds;
    return (int)syscall(SYS_sched_setattr, 0, &scheduling, 0);
}
