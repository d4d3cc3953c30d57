#include "include/CCurlFloor.h"

#include <curl/curl.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

typedef struct {
    CURLM *multi;
    int epoll;
    /// When libcurl wants to be called, in nanoseconds of the monotonic clock; negative for never.
    long long deadline;
} loop;

static long long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static size_t discard(char *bytes, size_t size, size_t count, void *context) {
    (void)bytes, (void)context;
    return size * count;
}

static int on_socket(CURL *easy, curl_socket_t socket, int what, void *context, void *known) {
    (void)easy;
    loop *self = context;
    struct epoll_event event = {.data.fd = socket};
    if (what == CURL_POLL_REMOVE) return epoll_ctl(self->epoll, EPOLL_CTL_DEL, socket, NULL), 0;
    event.events = (what & CURL_POLL_IN ? EPOLLIN : 0) | (what & CURL_POLL_OUT ? EPOLLOUT : 0);
    epoll_ctl(self->epoll, known ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, socket, &event);
    if (!known) curl_multi_assign(self->multi, socket, self);
    return 0;
}

static int on_timer(CURLM *multi, long timeout, void *context) {
    (void)multi;
    ((loop *)context)->deadline = timeout < 0 ? -1 : now() + timeout * 1000000LL;
    return 0;
}

static CURL *prepared(const char *url) {
    CURL *easy = curl_easy_init();
    curl_easy_setopt(easy, CURLOPT_URL, url);
    curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, discard);
    return easy;
}

long curl_floor_run(const char *url, long count, int parallel) {
    CURLM *multi = curl_multi_init();
    loop self = {.multi = multi, .epoll = epoll_create1(EPOLL_CLOEXEC), .deadline = -1};
    if (self.epoll < 0) return -errno;
    curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, on_socket);
    curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, &self);
    curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, on_timer);
    curl_multi_setopt(multi, CURLMOPT_TIMERDATA, &self);
    long started = 0, good = 0, ended = 0;
    for (; started < parallel && started < count; started++) curl_multi_add_handle(multi, prepared(url));
    while (ended < count) {
        struct epoll_event events[64];
        int running, left;
        long long wait = self.deadline < 0 ? -1 : (self.deadline - now() + 999999) / 1000000;
        int ready = epoll_wait(self.epoll, events, 64, self.deadline >= 0 && wait < 0 ? 0 : (int)wait);
        if (self.deadline >= 0 && self.deadline <= now()) {
            // libcurl says so if it wants to be called again, and says nothing if not: without this the loop would spin.
            self.deadline = -1;
            curl_multi_socket_action(multi, CURL_SOCKET_TIMEOUT, 0, &running);
        }
        for (int index = 0; index < ready; index++) {
            int mask = (events[index].events & EPOLLIN ? CURL_CSELECT_IN : 0)
                | (events[index].events & EPOLLOUT ? CURL_CSELECT_OUT : 0);
            curl_multi_socket_action(multi, events[index].data.fd, mask, &running);
        }
        for (CURLMsg *message; (message = curl_multi_info_read(multi, &left));) {
            CURL *easy = message->easy_handle;
            long status = 0;
            curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
            good += message->data.result == CURLE_OK && status == 200;
            ended++;
            curl_multi_remove_handle(multi, easy);
            if (started++ < count) curl_multi_add_handle(multi, easy);
            else curl_easy_cleanup(easy);
        }
    }
    curl_multi_cleanup(multi);
    close(self.epoll);
    return good;
}
