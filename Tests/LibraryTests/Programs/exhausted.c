// Configures and stops a monitor in a process that may open nothing more, as a server may that has all its connections taken.
#include "expect.h"
#include <string.h>
#include <sys/resource.h>

int main(void) {
    netwatch *monitor = netwatch_create("{\"probes\": false}", NULL);
    EXPECT(netwatch_start(monitor, NULL) == 0);
    char *state = netwatch_current(monitor);
    EXPECT(strstr(state, "\"reachability\":\"unknown\"") == NULL);
    netwatch_string_free(state);
    struct rlimit limit;
    EXPECT(getrlimit(RLIMIT_NOFILE, &limit) == 0);
    limit.rlim_cur = 0;
    EXPECT(setrlimit(RLIMIT_NOFILE, &limit) == 0);
    EXPECT(netwatch_configure(monitor, "{\"probes\": false, \"interval\": 30}", NULL) == 0);
    netwatch_stop(monitor);
    state = netwatch_current(monitor);
    EXPECT(strstr(state, "\"reachability\":\"unknown\"") != NULL);
    netwatch_string_free(state);
    netwatch_free(monitor);
    puts("ok");
    return 0;
}
