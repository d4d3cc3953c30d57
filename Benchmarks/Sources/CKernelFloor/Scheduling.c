#define _GNU_SOURCE
#include "CKernelFloor.h"

#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

// The first version of struct sched_attr (linux/sched/types.h), which glibc does not have before 2.41.
struct scheduling {
    uint32_t size;
    uint32_t policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t runtime;
    uint64_t deadline;
    uint64_t period;
};

void kernel_floor_go_first(void) {
    const uint64_t reset_on_fork = 1, shortest_turn = 100000;
    struct scheduling scheduling;
    memset(&scheduling, 0, sizeof scheduling);
    if (syscall(SYS_sched_getattr, 0, &scheduling, sizeof scheduling, 0) < 0) return;
    scheduling.size = sizeof scheduling;
    scheduling.flags |= reset_on_fork;
    scheduling.runtime = shortest_turn;
    syscall(SYS_sched_setattr, 0, &scheduling, 0);
}
