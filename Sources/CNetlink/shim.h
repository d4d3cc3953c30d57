#pragma once

// Declarations only: the kernel's userspace interface and libnl's. The few `static inline` functions stand in for
// macros that Swift cannot import; none of them decides anything.

// Glibc's types stay Glibc's, in a build of the whole module too.
#pragma clang module import SwiftGlibc

#include <linux/ethtool.h>
#include <linux/fib_rules.h>
#include <linux/filter.h>
#include <linux/genetlink.h>
#include <linux/if.h>
#include <linux/if_addr.h>
#include <linux/if_arp.h>
#include <linux/if_link.h>
#include <linux/if_tunnel.h>
#include <linux/inet_diag.h>
#include <linux/netconf.h>
#include <linux/netlink.h>
#include <linux/nexthop.h>
#include <linux/nl80211.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <linux/sockios.h>
#include <linux/wireguard.h>
#include <netlink/attr.h>
#include <netlink/errno.h>
#include <netlink/genl/ctrl.h>
#include <netlink/genl/genl.h>
#include <netlink/msg.h>
#include <netlink/netlink.h>
#include <netlink/socket.h>

// recvmmsg(2) is behind _GNU_SOURCE, which Swift builds C modules without.
struct mmsghdr {
    struct msghdr msg_hdr;
    unsigned int msg_len;
};
struct timespec;
int recvmmsg(int, struct mmsghdr *, unsigned int, int, struct timespec *);

struct netwatch_datagram {
    unsigned int length;
    unsigned int sender;
    int is_truncated;
};

enum { NETWATCH_DATAGRAMS = 64 };

// Reads at most `count` (NETWATCH_DATAGRAMS) datagrams that are there, each to its `size` bytes of the buffer. Here and not
// in Swift, because the structures point at one another.
static inline int netwatch_receive(int descriptor, void *buffer, unsigned long size,
                                   struct netwatch_datagram *datagrams, unsigned int count) {
    struct mmsghdr headers[NETWATCH_DATAGRAMS];
    struct iovec vectors[NETWATCH_DATAGRAMS];
    struct sockaddr_nl senders[NETWATCH_DATAGRAMS];
    for (unsigned int index = 0; index < count; index++) {
        vectors[index] = (struct iovec){(char *)buffer + index * size, size};
        headers[index] = (struct mmsghdr){{&senders[index], sizeof senders[index], &vectors[index], 1, 0, 0, 0}, 0};
    }
    int received = recvmmsg(descriptor, headers, count, MSG_DONTWAIT, 0);
    for (int index = 0; index < received; index++) {
        datagrams[index] = (struct netwatch_datagram){
            headers[index].msg_len, senders[index].nl_pid, headers[index].msg_hdr.msg_flags & MSG_TRUNC};
    }
    return received;
}
