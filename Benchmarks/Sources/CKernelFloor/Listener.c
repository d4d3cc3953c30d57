#define _GNU_SOURCE
#include "CKernelFloor.h"

#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

struct kernel_floor_listener {
    int socket;
    pthread_t thread;
    _Atomic uint64_t count;
    _Atomic uint64_t latest;
};

static int is_default_route(const struct nlmsghdr *header) {
    const struct rtmsg *route = NLMSG_DATA(header);
    return header->nlmsg_type == RTM_NEWROUTE && route->rtm_dst_len == 0;
}

static void *listen_for_ever(void *argument) {
    struct kernel_floor_listener *listener = argument;
    char buffer[32768];
    for (;;) {
        ssize_t length = recv(listener->socket, buffer, sizeof buffer, 0);
        uint64_t now = kernel_floor_now();
        if (length < (ssize_t)NLMSG_LENGTH(sizeof(struct rtmsg))) continue;
        if (!is_default_route((const struct nlmsghdr *)buffer)) continue;
        atomic_store(&listener->latest, now);
        atomic_fetch_add(&listener->count, 1);
    }
    return NULL;
}

kernel_floor_listener *kernel_floor_listen(void) {
    struct kernel_floor_listener *listener = calloc(1, sizeof *listener);
    if (listener == NULL) return NULL;
    struct sockaddr_nl address = {.nl_family = AF_NETLINK, .nl_groups = RTMGRP_IPV4_ROUTE};
    listener->socket = kernel_floor_open();
    if (listener->socket >= 0 && bind(listener->socket, (struct sockaddr *)&address, sizeof address) == 0
        && pthread_create(&listener->thread, NULL, listen_for_ever, listener) == 0)
        return listener;
    if (listener->socket >= 0) close(listener->socket);
    free(listener);
    return NULL;
}

uint64_t kernel_floor_count(const kernel_floor_listener *listener) {
    return atomic_load(&listener->count);
}

uint64_t kernel_floor_latest(const kernel_floor_listener *listener) {
    return atomic_load(&listener->latest);
}

void kernel_floor_stop(kernel_floor_listener *listener) {
    pthread_cancel(listener->thread);
    pthread_join(listener->thread, NULL);
    close(listener->socket);
    free(listener);
}
