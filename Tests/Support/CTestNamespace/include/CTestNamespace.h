#pragma once

/// 0 when the process entered namespaces of its own before `main`, else the errno that kept it from doing so.
int netwatch_test_namespace_errno(void);

/// Moves the calling thread, and only it, into a new network namespace.
int netwatch_test_unshare_network(void);
