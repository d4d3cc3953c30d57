#include "CKernelFloor.h"

#include <errno.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

struct route_request {
    struct nlmsghdr header;
    struct rtmsg route;
    char attributes[64];
};

uint64_t kernel_floor_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

int kernel_floor_open(void) {
    int descriptor = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
    return descriptor < 0 ? -errno : descriptor;
}

static void add(struct route_request *request, unsigned short type, uint32_t value) {
    struct rtattr *attribute = (struct rtattr *)((char *)request + NLMSG_ALIGN(request->header.nlmsg_len));
    attribute->rta_type = type;
    attribute->rta_len = RTA_LENGTH(sizeof value);
    memcpy(RTA_DATA(attribute), &value, sizeof value);
    request->header.nlmsg_len = NLMSG_ALIGN(request->header.nlmsg_len) + RTA_LENGTH(sizeof value);
}

static int ask(int socket, const struct route_request *request, uint64_t *sent) {
    struct { struct nlmsghdr header; struct nlmsgerr error; char rest[256]; } answer;
    *sent = kernel_floor_now();
    if (send(socket, request, request->header.nlmsg_len, 0) < 0) return -errno;
    if (recv(socket, &answer, sizeof answer, 0) < 0) return -errno;
    return answer.error.error;
}

int kernel_floor_replace_default(int socket, uint32_t device, uint32_t gateway, uint64_t *sent) {
    struct route_request request = {
        .header = {
            .nlmsg_len = NLMSG_LENGTH(sizeof(struct rtmsg)),
            .nlmsg_type = RTM_NEWROUTE,
            .nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK | NLM_F_CREATE | NLM_F_REPLACE,
        },
        .route = {
            .rtm_family = AF_INET,
            .rtm_table = RT_TABLE_MAIN,
            .rtm_protocol = RTPROT_STATIC,
            .rtm_scope = RT_SCOPE_UNIVERSE,
            .rtm_type = RTN_UNICAST,
        },
    };
    add(&request, RTA_OIF, device);
    add(&request, RTA_GATEWAY, gateway);
    return ask(socket, &request, sent);
}

int kernel_floor_delete_default(int socket, uint64_t *sent) {
    struct route_request request = {
        .header = {
            .nlmsg_len = NLMSG_LENGTH(sizeof(struct rtmsg)),
            .nlmsg_type = RTM_DELROUTE,
            .nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK,
        },
        .route = {
            .rtm_family = AF_INET,
            .rtm_table = RT_TABLE_MAIN,
            .rtm_scope = RT_SCOPE_NOWHERE,
        },
    };
    return ask(socket, &request, sent);
}
