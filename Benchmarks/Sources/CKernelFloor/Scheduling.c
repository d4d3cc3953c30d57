#define _GNU_SOURCE
#include "CKernelFloor.h"

#include <unistd.h>

#include "../../../Sources/CLinux/scheduling.h"

void kernel_floor_go_first(void) {
    const uint64_t shortest_turn = 100000;
    netwatch_set_scheduling(NETWATCH_SCHED_OTHER, shortest_turn);
}
