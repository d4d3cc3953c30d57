#if !os(Linux)
#error("netwatch runs on Linux only: it is made of netlink, epoll and Linux's own socket options.")
#endif
