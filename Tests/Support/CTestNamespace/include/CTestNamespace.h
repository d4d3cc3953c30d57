#pragma once

#include <spawn.h>

/// 0 when the process entered namespaces of its own before `main`, else the errno that kept it from doing so.
int netwatch_test_namespace_errno(void);

/// Moves the calling thread, and only it, into a new network namespace.
int netwatch_test_unshare_network(void);

/// Takes every capability from the calling thread, for good, and makes it that of the user "nobody" where it was root's.
/// Returns 0 or an errno.
int netwatch_test_drop_privileges(void);

/// Has a program that is about to be spawned inherit no descriptor beyond its standard streams.
void netwatch_test_close_the_rest(posix_spawn_file_actions_t *actions);
