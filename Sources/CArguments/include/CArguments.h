#pragma once

// The program's arguments as the C library got them from the kernel. Swift reads its own from /proc/self/cmdline, which is
// not there in every sandbox.

int netwatch_argument_count(void);
const char *netwatch_argument(int position);
