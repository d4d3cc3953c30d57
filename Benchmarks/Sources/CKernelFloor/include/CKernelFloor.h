#pragma once

#include <stdint.h>

// The least a program can do to change a default route and to hear of it: the floor our own times are compared with.

/// CLOCK_MONOTONIC in nanoseconds.
uint64_t kernel_floor_now(void);

/// Has the current thread, which measures, run as soon as it has something to do (short turns: sched_setattr(2), Linux
/// 6.12), so that its own wait for a processor is no part of what it measures. Changes nothing where the kernel cannot.
void kernel_floor_go_first(void);

/// A socket that asks the kernel for changes; negative errno on failure.
int kernel_floor_open(void);

/// Makes the IPv4 default route lead over a device and a gateway (network byte order). `sent` receives the time just
/// before the request. Returns 0 or a negative errno, the kernel's own included.
int kernel_floor_replace_default(int socket, uint32_t device, uint32_t gateway, uint64_t *sent);

/// Takes the IPv4 default route away that `kernel_floor_replace_default` has made; otherwise as that one.
int kernel_floor_delete_default(int socket, uint64_t *sent);

/// A thread that blocks in recv(2) and notes when each IPv4 default route arrived.
typedef struct kernel_floor_listener kernel_floor_listener;

kernel_floor_listener *kernel_floor_listen(void);
/// How many default routes have arrived.
uint64_t kernel_floor_count(const kernel_floor_listener *listener);
/// When the latest of them did.
uint64_t kernel_floor_latest(const kernel_floor_listener *listener);
void kernel_floor_stop(kernel_floor_listener *listener);
