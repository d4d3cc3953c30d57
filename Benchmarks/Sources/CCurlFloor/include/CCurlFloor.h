#pragma once

/// The least a program can do to ask over HTTP with libcurl: one thread, epoll, the multi-socket interface, every body
/// thrown away. Asks for the URL `count` times, `parallel` at a time over as many kept connections.
///
/// Returns how many answers had status 200, or a negative errno.
long curl_floor_run(const char *url, long count, int parallel);

/// The same for probes: one after the other, each over a connection of its own, a pause of so many microseconds from one
/// start to the next. `authorities` is a bundle in PEM.
///
/// Returns the processor time that one took, in milliseconds, or a negative number where one failed.
double curl_floor_probe(const char *url, const char *authorities, long count, long pause);
