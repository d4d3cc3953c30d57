// An exit handler that was registered before the first monitor runs when their threads stand still already. With an argument
// it is the callback that ends the process.
#include "expect.h"
#include <pthread.h>
#include <unistd.h>

static netwatch *monitor;
static pthread_t waiter;
static int ends_in_callback;

static void *wait_for_ever(void *context) {
    (void)context;
    char *error = NULL;
    EXPECT(netwatch_wait(monitor, "full", -1, &error) == -1);
    EXPECT_TEXT(error, "the process ends");
    return NULL;
}

static void tidy_up(void) {
    EXPECT(pthread_join(waiter, NULL) == 0);
    netwatch_set_callback(monitor, NULL, NULL);
    netwatch_stop(monitor);
    EXPECT(netwatch_configure(monitor, NULL, NULL) == -1);
    netwatch_free(monitor);
    puts("ok");
}

static void take(const char *event, void *context) {
    (void)event, (void)context;
    if (ends_in_callback) exit(0);
}

int main(int argc, char **argv) {
    (void)argv;
    ends_in_callback = argc > 1;
    // One that hangs is ended by the kernel.
    alarm(60);
    EXPECT(atexit(tidy_up) == 0);
    monitor = netwatch_create("{\"probes\": false}", NULL);
    EXPECT(pthread_create(&waiter, NULL, wait_for_ever, NULL) == 0);
    netwatch_set_callback(monitor, take, NULL);
    int started = netwatch_start(monitor, NULL);
    while (ends_in_callback) pause();
    EXPECT(started == 0);
    return 0;
}
