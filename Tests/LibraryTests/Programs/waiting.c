// Waits, configures and explains: the functions that take their time.
#include "expect.h"
#include <time.h>

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void refuses_to_wait(netwatch *monitor, const char *condition, const char *reason) {
    char *error = NULL;
    EXPECT(netwatch_wait(monitor, condition, 0, &error) == -1);
    EXPECT_TEXT(error, reason);
    EXPECT(netwatch_wait(monitor, condition, 0, NULL) == -1);
}

static void refuses_configuration(netwatch *monitor, const char *configuration, const char *reason) {
    char *error = NULL;
    EXPECT(netwatch_configure(monitor, configuration, &error) == -1);
    EXPECT_TEXT(error, reason);
}

static netwatch *own;
static int answers[3];
static char *explanation;

static void call_all(const char *event, void *context) {
    (void)event, (void)context;
    answers[0] = netwatch_wait(own, "path", -1, NULL);
    answers[1] = netwatch_configure(own, "{}", NULL);
    explanation = netwatch_explain(own, NULL, NULL);
    answers[2] = 1;
}

int main(void) {
    netwatch *monitor = netwatch_create("{\"probes\": false}", NULL);
    // The time runs before the start, too.
    double start = now();
    EXPECT(netwatch_wait(monitor, "path", 50, NULL) == 0);
    EXPECT(now() - start >= 0.05 && now() - start < 20);
    EXPECT(netwatch_wait(monitor, "path", 0, NULL) == 0);
    refuses_to_wait(monitor, "shop", "there is no target 'shop'");
    refuses_to_wait(monitor, "", "name a state or a target");
    refuses_to_wait(monitor, NULL, "name a state or a target");
    refuses_to_wait(monitor, "\xe9", "UTF-8");

    EXPECT(netwatch_start(monitor, NULL) == 0);
    EXPECT(netwatch_wait(monitor, "path", 0, NULL) == 0);
    EXPECT(system("(sleep 0.2; ip route add default via 192.0.2.1) &") == 0);
    EXPECT(netwatch_wait(monitor, "path", -1, NULL) == 1);
    EXPECT(netwatch_wait(monitor, "ethernet", 0, NULL) == 1);
    EXPECT(netwatch_wait(monitor, "wifi", 20, NULL) == 0);

    refuses_configuration(monitor, "{\"intervall\": 3}", "intervall");
    refuses_configuration(monitor, "{", "JSON");
    refuses_configuration(monitor, "{\"targets\": [{\"url\": \"ftp://host/\"}]}", "targets[0].url");
    EXPECT(netwatch_wait(monitor, "path", 0, NULL) == 1);
    const char *shop = "{\"targets\": [{\"name\": \"shop\", \"url\": \"tcp://192.0.2.2:9\"}]}";
    EXPECT(netwatch_configure(monitor, shop, NULL) == 0);
    EXPECT(netwatch_wait(monitor, "shop", 20, NULL) == 0);
    netwatch_stop(monitor);
    EXPECT(netwatch_wait(monitor, "path", 50, NULL) == 0);

    char *error = NULL;
    EXPECT(netwatch_explain(monitor, "ftp://192.0.2.1/", &error) == NULL);
    EXPECT_TEXT(error, "ftp://192.0.2.1/");
    char *text = netwatch_explain(monitor, "tcp://192.0.2.2:9", NULL);
    EXPECT(text && !strchr(text, '\n') && strstr(text, "\"steps\":"));
    EXPECT_TEXT(text, "tcp://192.0.2.2:9");
    EXPECT_TEXT(netwatch_explain(monitor, NULL, NULL), "192.0.2.2");

    // From the callback none of them may wait.
    own = netwatch_create("{\"probes\": false}", NULL);
    netwatch_set_callback(own, call_all, NULL);
    EXPECT(netwatch_start(own, NULL) == 0);
    EXPECT(answers[0] == -1 && answers[1] == -1 && answers[2] == 1 && explanation == NULL);
    netwatch_free(own);
    netwatch_free(monitor);
    EXPECT(netwatch_wait(NULL, "path", -1, NULL) == -1 && netwatch_explain(NULL, NULL, NULL) == NULL);
    EXPECT(netwatch_configure(NULL, NULL, NULL) == -1);
    puts("ok");
    return 0;
}
