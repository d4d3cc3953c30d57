/* cc watch.c $(pkg-config --cflags --libs netwatch) -o watch && ./watch [EVENTS] */
#include <netwatch.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static atomic_int seen;

static void print_event(const char *event, void *stream) {
    fprintf(stream, "%s\n", event);
    fflush(stream);
    atomic_fetch_add(&seen, 1);
}

int main(int argc, char **argv) {
    int wanted = argc > 1 ? atoi(argv[1]) : 0;
    char *error = NULL;
    netwatch *monitor = netwatch_create("{\"probes\": false}", &error);
    if (monitor) netwatch_set_callback(monitor, print_event, stdout);
    if (!monitor || netwatch_start(monitor, &error) != 0) {
        fprintf(stderr, "watch: %s\n", error);
        netwatch_string_free(error);
        netwatch_free(monitor);
        return 1;
    }
    while (wanted == 0 || atomic_load(&seen) < wanted) usleep(10000);
    netwatch_free(monitor);
    return 0;
}
