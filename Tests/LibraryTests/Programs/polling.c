// Takes events by poll(2), as a program with a loop of its own does, while it changes the network itself.
#include "expect.h"
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

static int is_readable(int descriptor, int milliseconds) {
    struct pollfd request = {.fd = descriptor, .events = POLLIN};
    return poll(&request, 1, milliseconds) == 1 && request.revents == POLLIN;
}

int main(void) {
    netwatch *monitor = netwatch_create("{\"probes\": false}", NULL);
    EXPECT(netwatch_next(monitor) == NULL);
    int descriptor = netwatch_fd(monitor);
    EXPECT(descriptor >= 0 && netwatch_fd(monitor) == descriptor);
    EXPECT(fcntl(descriptor, F_GETFD) & FD_CLOEXEC);
    EXPECT(!is_readable(descriptor, 0) && netwatch_next(monitor) == NULL);

    for (int round = 0; round < 3; round += 1) {
        EXPECT(netwatch_start(monitor, NULL) == 0);
        EXPECT(is_readable(descriptor, 10000));
        EXPECT_TEXT(netwatch_next(monitor), "\"reachability\":\"none\"");
        EXPECT(netwatch_next(monitor) == NULL && !is_readable(descriptor, 0));

        EXPECT(system("ip route add default via 192.0.2.1") == 0);
        EXPECT(is_readable(descriptor, 10000));
        EXPECT_TEXT(netwatch_next(monitor), "\"reachability\":\"ethernet\"");
        EXPECT(system("ip route delete default") == 0);
        EXPECT(is_readable(descriptor, 10000));
        EXPECT_TEXT(netwatch_next(monitor), "\"reachability\":\"none\"");

        // What is not taken costs a bounded place, and the latest state is in it.
        for (int change = 0; change < 100; change += 1)
            EXPECT(system("ip route add default via 192.0.2.1 && ip route delete default") == 0);
        for (int look = 0; netwatch_wait(monitor, "path", 0, NULL) == 1; look += 1) {
            EXPECT(look < 10000);
            usleep(1000);
        }
        int count = 0;
        char *last = NULL;
        for (char *event; (event = netwatch_next(monitor)); count += 1) {
            netwatch_string_free(last);
            last = event;
        }
        EXPECT(count > 0 && count < 200);
        EXPECT_TEXT(last, "\"reachability\":\"none\"");
        EXPECT(!is_readable(descriptor, 0));

        netwatch_stop(monitor);
        EXPECT(netwatch_fd(monitor) == descriptor);
    }
    netwatch_free(monitor);
    EXPECT(fcntl(descriptor, F_GETFD) == -1);
    EXPECT(netwatch_fd(NULL) == -1 && netwatch_next(NULL) == NULL);
    puts("ok");
    return 0;
}
