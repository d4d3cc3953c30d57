#pragma once

#include <spawn.h>

/// 0 when the process entered namespaces of its own before `main`, else the errno that kept it from doing so.
int netwatch_test_namespace_errno(void);

/// Moves the calling thread, and only it, into a new network namespace.
int netwatch_test_unshare_network(void);

/// Has a program that is about to be spawned inherit no descriptor beyond its standard streams.
void netwatch_test_close_the_rest(posix_spawn_file_actions_t *actions);
