#pragma once

/// The least a program can do to ask over HTTP with libcurl: one thread, epoll, the multi-socket interface, every body
/// thrown away. Asks for the URL `count` times, `parallel` at a time over as many kept connections.
///
/// Returns how many answers had status 200, or a negative errno.
long curl_floor_run(const char *url, long count, int parallel);
