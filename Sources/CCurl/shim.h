#pragma once

// libcurl's options are variadic, which Swift does not import: one typed `static inline` function for each kind of
// argument, and nothing else but what Swift may not call as deprecated.

// Glibc's types stay Glibc's, in a build of the whole module too.
#pragma clang module import SwiftGlibc

#include <curl/curl.h>

static inline CURLcode netwatch_easy_setopt_long(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}
static inline CURLcode netwatch_easy_setopt_offset(CURL *easy, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(easy, option, value);
}
static inline CURLcode netwatch_easy_setopt_string(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}
static inline CURLcode netwatch_easy_setopt_pointer(CURL *easy, CURLoption option, void *value) {
    return curl_easy_setopt(easy, option, value);
}
static inline CURLcode netwatch_easy_setopt_list(CURL *easy, CURLoption option, struct curl_slist *value) {
    return curl_easy_setopt(easy, option, value);
}
/// libcurl copies the bytes.
static inline CURLcode netwatch_easy_setopt_blob(CURL *easy, CURLoption option, const void *bytes, size_t count) {
    struct curl_blob blob = {.data = (void *)bytes, .len = count, .flags = CURL_BLOB_COPY};
    return curl_easy_setopt(easy, option, &blob);
}
static inline CURLcode netwatch_easy_setopt_write_callback(CURL *easy, CURLoption option, curl_write_callback value) {
    return curl_easy_setopt(easy, option, value);
}
static inline CURLcode netwatch_easy_setopt_read_callback(CURL *easy, CURLoption option, curl_read_callback value) {
    return curl_easy_setopt(easy, option, value);
}
static inline CURLcode netwatch_easy_setopt_seek_callback(CURL *easy, CURLoption option, curl_seek_callback value) {
    return curl_easy_setopt(easy, option, value);
}
static inline CURLcode netwatch_easy_setopt_open_socket_callback(
    CURL *easy, CURLoption option, curl_opensocket_callback value) {
    return curl_easy_setopt(easy, option, value);
}
static inline CURLcode netwatch_easy_setopt_close_socket_callback(
    CURL *easy, CURLoption option, curl_closesocket_callback value) {
    return curl_easy_setopt(easy, option, value);
}
static inline CURLcode netwatch_easy_setopt_prereq_callback(
    CURL *easy, CURLoption option, curl_prereq_callback value) {
    return curl_easy_setopt(easy, option, value);
}
static inline CURLcode netwatch_easy_setopt_debug_callback(CURL *easy, CURLoption option, curl_debug_callback value) {
    return curl_easy_setopt(easy, option, value);
}
static inline CURLcode netwatch_easy_setopt_tls_context_callback(
    CURL *easy, CURLoption option, curl_ssl_ctx_callback value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode netwatch_easy_getinfo_long(CURL *easy, CURLINFO info, long *value) {
    return curl_easy_getinfo(easy, info, value);
}
static inline CURLcode netwatch_easy_getinfo_offset(CURL *easy, CURLINFO info, curl_off_t *value) {
    return curl_easy_getinfo(easy, info, value);
}
static inline CURLcode netwatch_easy_getinfo_socket(CURL *easy, CURLINFO info, curl_socket_t *value) {
    return curl_easy_getinfo(easy, info, value);
}
static inline CURLcode netwatch_easy_getinfo_string(CURL *easy, CURLINFO info, const char **value) {
    return curl_easy_getinfo(easy, info, value);
}
static inline CURLcode netwatch_easy_getinfo_pointer(CURL *easy, CURLINFO info, void **value) {
    return curl_easy_getinfo(easy, info, value);
}
/// The `SSL *` of the connection that the transfer uses now, or NULL (CURLINFO_TLS_SSL_PTR).
static inline void *netwatch_easy_getinfo_tls(CURL *easy) {
    struct curl_tlssessioninfo *session = NULL;
    if (curl_easy_getinfo(easy, CURLINFO_TLS_SSL_PTR, &session) != CURLE_OK || !session) return NULL;
    return session->backend == CURLSSLBACKEND_OPENSSL ? session->internals : NULL;
}

static inline CURLMcode netwatch_multi_setopt_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}
static inline CURLMcode netwatch_multi_setopt_pointer(CURLM *multi, CURLMoption option, void *value) {
    return curl_multi_setopt(multi, option, value);
}
static inline CURLMcode netwatch_multi_setopt_socket_callback(
    CURLM *multi, CURLMoption option, curl_socket_callback value) {
    return curl_multi_setopt(multi, option, value);
}
static inline CURLMcode netwatch_multi_setopt_timer_callback(
    CURLM *multi, CURLMoption option, curl_multi_timer_callback value) {
    return curl_multi_setopt(multi, option, value);
}

static inline CURLSHcode netwatch_share_setopt_data(CURLSH *share, CURLSHoption option, curl_lock_data value) {
    return curl_share_setopt(share, option, value);
}
static inline CURLcode netwatch_easy_getinfo_list(CURL *easy, CURLINFO info, struct curl_slist **value) {
    return curl_easy_getinfo(easy, info, value);
}

/// The only call that has libcurl look at every transfer and tell which sockets it waits for.
static inline CURLMcode netwatch_multi_socket_all(CURLM *multi, int *running) {
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
    return curl_multi_socket_all(multi, running);
#pragma clang diagnostic pop
}
