// Shows the thread sanitizer that a thread was joined. Scripts/test preloads it where SANITIZE=thread.
//
// The sanitizer knows pthread_join(3) and pthread_tryjoin_np(3), and not pthread_clockjoin_np(3): a thread that was joined by it
// is reported as one that never was, once at the end of every run, and the run counts as failed.

#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <time.h>

static int is_over(clockid_t clock, const struct timespec *deadline) {
    struct timespec now;
    clock_gettime(clock, &now);
    return now.tv_sec > deadline->tv_sec || (now.tv_sec == deadline->tv_sec && now.tv_nsec >= deadline->tv_nsec);
}

int pthread_clockjoin_np(pthread_t thread, void **result, clockid_t clock, const struct timespec *deadline) {
    const struct timespec pause = {.tv_nsec = 1000000};
    int status;
    while ((status = pthread_tryjoin_np(thread, result)) == EBUSY) {
        if (is_over(clock, deadline)) return ETIMEDOUT;
        nanosleep(&pause, NULL);
    }
    return status;
}
