// The child of a fork() gives up its parent's monitor and makes one of its own; the parent's goes on.
#include "expect.h"
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

static atomic_int calls;

static void count(const char *event, void *context) {
    (void)event, (void)context;
    calls += 1;
}

static void be_child(netwatch *monitor) {
    // A child that hangs is ended by the kernel, and its parent sees it.
    alarm(20);
    char *error = NULL;
    EXPECT(netwatch_start(monitor, &error) == -1);
    EXPECT_TEXT(error, "fork");
    EXPECT(netwatch_wait(monitor, "path", -1, NULL) == -1);
    EXPECT(netwatch_configure(monitor, NULL, NULL) == -1);
    EXPECT(netwatch_explain(monitor, NULL, NULL) == NULL);
    EXPECT(netwatch_current(monitor) == NULL && netwatch_next(monitor) == NULL && netwatch_fd(monitor) == -1);
    netwatch_set_callback(monitor, NULL, NULL);
    netwatch_check(monitor);
    netwatch_stop(monitor);
    netwatch_free(monitor);

    netwatch *own = netwatch_create("{\"probes\": false}", NULL);
    EXPECT(own && netwatch_start(own, NULL) == 0);
    EXPECT_TEXT(netwatch_current(own), "\"reachability\":\"none\"");
    netwatch_free(own);
    exit(0);
}

int main(void) {
    netwatch *monitor = netwatch_create("{\"probes\": false}", NULL);
    netwatch_set_callback(monitor, count, NULL);
    EXPECT(netwatch_fd(monitor) >= 0);
    EXPECT(netwatch_start(monitor, NULL) == 0);
    for (int round = 0; round < 20; round += 1) {
        pid_t child = fork();
        if (child == 0) be_child(monitor);
        int status = -1;
        EXPECT(waitpid(child, &status, 0) == child);
        if (status != 0) return printf("a child ended with %#x\n", (unsigned)status), 1;
    }
    int before = calls;
    EXPECT(system("ip route add default via 192.0.2.1") == 0);
    EXPECT(netwatch_wait(monitor, "path", 10000, NULL) == 1);
    netwatch_stop(monitor);
    EXPECT(calls > before);
    netwatch_free(monitor);
    puts("ok");
    return 0;
}
