#include "CArguments.h"

#include <stddef.h>

static int argument_count;
static char **arguments;

// glibc hands main's arguments to every constructor, too (call_init() in csu/libc-start.c).
__attribute__((constructor)) static void keep_arguments(int count, char **vector) {
    argument_count = count;
    arguments = vector;
}

int netwatch_argument_count(void) { return argument_count; }

const char *netwatch_argument(int position) {
    return position >= 0 && position < argument_count ? arguments[position] : NULL;
}
