// The child of a fork() gives up its parent's monitor and makes one of its own, whatever the parent's threads are doing at
// that moment; the parent's goes on.
#include "expect.h"
#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

static atomic_int calls;
static atomic_int done;

static void count(const char *event, void *context) {
    (void)event, (void)context;
    calls += 1;
}

// Keeps the parent's loops and what all of them share busy: loops begin and end, events are told and taken.
static void *be_busy(void *monitor) {
    while (!done) {
        netwatch_check(monitor);
        netwatch_string_free(netwatch_current(monitor));
        netwatch *other = netwatch_create("{\"probes\": false}", NULL);
        EXPECT(other && netwatch_start(other, NULL) == 0);
        netwatch_free(other);
    }
    return NULL;
}

static void be_child(netwatch *monitor) {
    // A child that hangs is ended by the kernel, and its parent sees it.
    alarm(60);
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

    int before = calls;
    netwatch *own = netwatch_create("{\"probes\": false}", NULL);
    EXPECT(own && netwatch_fd(own) >= 0 && netwatch_version());
    netwatch_set_callback(own, count, NULL);
    EXPECT(netwatch_start(own, NULL) == 0);
    EXPECT_TEXT(netwatch_current(own), "\"reachability\":\"none\"");
    // The main thread and the loop's want the same locks.
    for (int round = 0; round < 200; round += 1) {
        netwatch_check(own);
        netwatch_string_free(netwatch_next(own));
        netwatch_string_free(netwatch_current(own));
    }
    EXPECT(netwatch_wait(own, "path", 1, NULL) == 0);
    EXPECT(calls > before);
    if (getpid() % 2) netwatch_free(own);
    exit(0);
}

int main(int count_of_words, char **words) {
    int rounds = count_of_words > 1 ? atoi(words[1]) : 40;
    netwatch *monitor = netwatch_create("{\"probes\": false}", NULL);
    netwatch_set_callback(monitor, count, NULL);
    EXPECT(netwatch_fd(monitor) >= 0);
    EXPECT(netwatch_start(monitor, NULL) == 0);
    pthread_t busy;
    for (int round = 0; round < rounds; round += 1) {
        // The first half with nothing else going on.
        if (round == rounds / 2) EXPECT(pthread_create(&busy, NULL, be_busy, monitor) == 0);
        pid_t child = fork();
        if (child == 0) be_child(monitor);
        int status = -1;
        EXPECT(waitpid(child, &status, 0) == child);
        if (status != 0) return printf("child %d ended with %#x\n", round, (unsigned)status), 1;
    }
    done = 1;
    EXPECT(pthread_join(busy, NULL) == 0);
    int before = calls;
    EXPECT(system("ip route add default via 192.0.2.1") == 0);
    EXPECT(netwatch_wait(monitor, "path", 10000, NULL) == 1);
    netwatch_stop(monitor);
    EXPECT(calls > before);
    netwatch_free(monitor);
    puts("ok");
    return 0;
}
