#define _GNU_SOURCE
#include <curl/curl.h>
#include <sys/resource.h>
#include <time.h>

#include "include/CCurlFloor.h"

static size_t discard(char *bytes, size_t size, size_t count, void *context) {
    (void)bytes, (void)context;
    return size * count;
}

static double used(void) {
    struct rusage usage;
    getrusage(RUSAGE_THREAD, &usage);
    return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e3 + (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e3;
}

double curl_floor_probe(const char *url, const char *authorities, long count, long pause) {
    CURL *easy = curl_easy_init();
    if (!easy) return -1;
    curl_easy_setopt(easy, CURLOPT_URL, url);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, discard);
    curl_easy_setopt(easy, CURLOPT_FRESH_CONNECT, 1L);
    curl_easy_setopt(easy, CURLOPT_FORBID_REUSE, 1L);
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_PROXY, "");
    curl_easy_setopt(easy, CURLOPT_CAINFO, authorities);
    // With a folder beside the bundle libcurl would read both for each connection.
    curl_easy_setopt(easy, CURLOPT_CAPATH, NULL);
    curl_easy_setopt(easy, CURLOPT_SSL_SESSIONID_CACHE, 0L);
    struct timespec next;
    clock_gettime(CLOCK_MONOTONIC, &next);
    double start = used();
    for (long index = 0; index < count; index += 1) {
        if (curl_easy_perform(easy) != CURLE_OK) {
            start = -1;
            break;
        }
        next.tv_nsec += pause * 1000;
        next.tv_sec += next.tv_nsec / 1000000000;
        next.tv_nsec %= 1000000000;
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL);
    }
    double cost = start < 0 ? -1 : (used() - start) / count;
    curl_easy_cleanup(easy);
    return cost;
}
