#pragma once

// c-ares' declarations, with those of the system that it expects its users to have.

// Glibc's types stay Glibc's, in a build of the whole module too.
#pragma clang module import SwiftGlibc

#include <sys/select.h>
#include <sys/socket.h>
#include <netdb.h>
#include <netinet/in.h>
#include <arpa/nameser.h>
#include <ares.h>

// Has a channel answer nothing from what it was told before, and returns the mask for that. From 1.31 on c-ares remembers answers
// unless it is told not to, and a name server that is dead would not be missed.
static inline int netwatch_ares_remember_nothing(struct ares_options *options) {
#ifdef ARES_OPT_QUERY_CACHE
    options->qcache_max_ttl = 0;
    return ARES_OPT_QUERY_CACHE;
#else
    (void)options;
    return 0;
#endif
}
