// An exit handler that was registered before the first monitor runs when their threads stand still already.
#include "expect.h"
#include <unistd.h>

static netwatch *monitor;

static void tidy_up(void) {
    netwatch_set_callback(monitor, NULL, NULL);
    netwatch_stop(monitor);
    EXPECT(netwatch_configure(monitor, NULL, NULL) == -1);
    netwatch_free(monitor);
    puts("ok");
}

static void take(const char *event, void *context) { (void)event, (void)context; }

int main(void) {
    // One that hangs is ended by the kernel.
    alarm(60);
    EXPECT(atexit(tidy_up) == 0);
    monitor = netwatch_create("{\"probes\": false}", NULL);
    netwatch_set_callback(monitor, take, NULL);
    EXPECT(netwatch_start(monitor, NULL) == 0);
    return 0;
}
