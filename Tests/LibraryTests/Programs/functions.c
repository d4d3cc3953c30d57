// Calls every function of netwatch.h, and says "ok" or which expectation did not hold.
#include <netwatch.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int calls;
static netwatch *current_monitor;
static int start_from_callback;

#define EXPECT(condition)                                                       \
    do {                                                                        \
        if (!(condition)) {                                                     \
            printf("line %d: %s does not hold\n", __LINE__, #condition);        \
            exit(1);                                                            \
        }                                                                       \
    } while (0)

static void count(const char *event, void *context) {
    EXPECT(strstr(event, "\"seq\":") != NULL);
    EXPECT(context == &calls);
    calls += 1;
    char *error = NULL;
    if (current_monitor) start_from_callback = netwatch_start(current_monitor, &error);
    netwatch_string_free(error);
}

static atomic_int calls_of_others;

static void count_others(const char *event, void *context) {
    (void)event, (void)context;
    calls_of_others += 1;
}

static void *set_callbacks(void *monitor) {
    for (int round = 0; round < 200; round += 1) netwatch_set_callback(monitor, count_others, NULL);
    return NULL;
}

// However many threads set callbacks at once: once there is none any more, none is called.
static void set_callbacks_at_once(netwatch *monitor) {
    pthread_t threads[4];
    for (int index = 0; index < 4; index += 1) pthread_create(&threads[index], NULL, set_callbacks, monitor);
    for (int index = 0; index < 4; index += 1) pthread_join(threads[index], NULL);
    netwatch_set_callback(monitor, NULL, NULL);
    calls_of_others = 0;
    EXPECT(netwatch_start(monitor, NULL) == 0);
    netwatch_stop(monitor);
    EXPECT(calls_of_others == 0);
}

static void refuses(const char *configuration, const char *reason) {
    char *error = NULL;
    EXPECT(netwatch_create(configuration, &error) == NULL);
    EXPECT(error != NULL);
    if (!strstr(error, reason)) {
        printf("\"%s\" does not say \"%s\"\n", error, reason);
        exit(1);
    }
    netwatch_string_free(error);
    EXPECT(netwatch_create(configuration, NULL) == NULL);
}

int main(void) {
    EXPECT(strchr(netwatch_version(), '.') != NULL);
    EXPECT(netwatch_version() == netwatch_version());

    refuses("", "not a JSON object");
    refuses("[1]", "begin with {");
    refuses("{\"targets\": [{\"url\": \"http://h/\", \"name\": \"\xe9\"}]}", "UTF-8");
    refuses("{\"intervall\": 3}", "intervall");
    refuses("{\"interval\": -1}", "interval");
    refuses("{\"targets\": [{\"url\": \"ftp://host/\"}]}", "targets[0].url");
    refuses("{\"targets\": [{}]}", "url");
    refuses("{\"targets\": [{\"url\": \"http://h/\", \"colour\": 1}]}", "colour");

    char *missing = NULL;
    EXPECT(netwatch_start(NULL, &missing) == -1);
    EXPECT(missing != NULL && strstr(missing, "there is no monitor") != NULL);
    netwatch_string_free(missing);

    netwatch *monitor = netwatch_create("{\"probes\": false, \"interval\": 5.5}", NULL);
    EXPECT(monitor != NULL);
    char *state = netwatch_current(monitor);
    EXPECT(strstr(state, "\"reachability\":\"unknown\"") != NULL);
    netwatch_string_free(state);

    netwatch_set_callback(monitor, count, &calls);
    current_monitor = monitor;
    for (int round = 0; round < 20; round += 1) {
        EXPECT(netwatch_start(monitor, NULL) == 0);
        EXPECT(netwatch_start(monitor, NULL) == 0);
        state = netwatch_current(monitor);
        EXPECT(strstr(state, "\"reachability\":\"none\"") != NULL);
        netwatch_string_free(state);
        netwatch_check(monitor);
        netwatch_stop(monitor);
        netwatch_stop(monitor);
    }
    EXPECT(calls > 0);
    EXPECT(start_from_callback == -1);

    netwatch_set_callback(monitor, NULL, NULL);
    int before = calls;
    EXPECT(netwatch_start(monitor, NULL) == 0);
    EXPECT(calls == before);
    netwatch_stop(monitor);
    set_callbacks_at_once(monitor);

    netwatch *others[8];
    for (int index = 0; index < 8; index += 1) {
        others[index] = netwatch_create("{\"probes\": false}", NULL);
        EXPECT(netwatch_start(others[index], NULL) == 0);
    }
    for (int index = 0; index < 8; index += 1) netwatch_free(others[index]);

    netwatch_free(monitor);
    netwatch_free(NULL);
    netwatch_string_free(NULL);
    puts("ok");
    return 0;
}
