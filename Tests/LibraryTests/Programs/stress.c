// Starts and stops many monitors at once, from several threads, with probes under way; says "ok" or what was left behind.
#define _GNU_SOURCE
#include <dirent.h>
#include <netwatch.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { threads = 4, monitors = 3, rounds = 8 };

static atomic_int events;
static atomic_int failures;

static void count(const char *event, void *context) {
    (void)context;
    if (strstr(event, "\"seq\":")) events += 1;
}

static void fail(const char *what, char *error) {
    failures += 1;
    printf("%s: %s\n", what, error ? error : "no reason");
    netwatch_string_free(error);
}

// Hundreds of targets that refuse, so often that they take a thread of their own beside the monitor's.
static char *many_targets(void) {
    char *text = malloc(64 * 300 + 128);
    char *end = text + sprintf(text, "{\"interval\": 0.1, \"targets\": [");
    for (int index = 0; index < 300; index += 1)
        end += sprintf(end, "%s{\"url\": \"http://192.0.2.2:9/%d\"}", index ? "," : "", index);
    sprintf(end, "]}");
    return text;
}

static void *run(void *configuration) {
    netwatch *own[monitors];
    char *error = NULL;
    for (int index = 0; index < monitors; index += 1) {
        own[index] = netwatch_create(index == 0 ? configuration : "{\"targets\": [{\"url\": \"tcp://192.0.2.2:9\"}]}", &error);
        if (!own[index]) return fail("create", error), NULL;
        netwatch_set_callback(own[index], count, NULL);
    }
    for (int round = 0; round < rounds; round += 1) {
        for (int index = 0; index < monitors; index += 1)
            if (netwatch_start(own[index], &error) != 0) fail("start", error);
        usleep(1000 * (rand() % 30));
        for (int index = 0; index < monitors; index += 1) {
            netwatch_check(own[index]);
            netwatch_string_free(netwatch_current(own[index]));
            netwatch_stop(own[index]);
        }
    }
    for (int index = 0; index < monitors; index += 1) netwatch_free(own[index]);
    return NULL;
}

static void run_all(char *configuration) {
    pthread_t all[threads];
    for (int index = 0; index < threads; index += 1) pthread_create(&all[index], NULL, run, configuration);
    for (int index = 0; index < threads; index += 1) pthread_join(all[index], NULL);
}

static int entries(const char *path) {
    DIR *folder = opendir(path);
    int count = 0;
    while (folder && readdir(folder)) count += 1;
    if (folder) closedir(folder);
    return count;
}

// A thread that was told to end does so in its own time.
static int settles(const char *path, int most) {
    for (int attempt = 0; attempt < 3000; attempt += 1) {
        if (entries(path) <= most) return 1;
        usleep(10000);
    }
    printf("%s had %d entries, and has %d\n", path, most, entries(path));
    return 0;
}

int main(void) {
    char *configuration = many_targets();
    // The first time leaves behind what lasts as long as the process, such as Swift's own threads.
    run_all(configuration);
    usleep(500000);
    int descriptors = entries("/proc/self/fd"), tasks = entries("/proc/self/task");
    run_all(configuration);
    if (!settles("/proc/self/fd", descriptors) || !settles("/proc/self/task", tasks)) return 1;
    free(configuration);
    if (failures || events == 0) return printf("%d failures, %d events\n", failures, events), 1;
    puts("ok");
    return 0;
}
