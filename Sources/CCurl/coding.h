#pragma once

// What undoes content codings: zlib, and of brotli and zstd what libcurl has brought into the process with it. Neither has to
// be there, so that both are looked for by name (dlsym(3)).

// Glibc's types stay Glibc's, in a build of the whole module too.
#pragma clang module import SwiftGlibc

#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <zlib.h>

static inline int netwatch_inflate_init(z_stream *stream, int windowBits) {
    return inflateInit2(stream, windowBits);
}

// brotli/decode.h

static inline void *netwatch_brotli_create(void) {
    void *(*create)(void *, void *, void *) =
        (void *(*)(void *, void *, void *))dlsym(NULL, "BrotliDecoderCreateInstance");
    return create ? create(NULL, NULL, NULL) : NULL;
}
static inline void netwatch_brotli_destroy(void *decoder) {
    void (*destroy)(void *) = (void (*)(void *))dlsym(NULL, "BrotliDecoderDestroyInstance");
    if (destroy) destroy(decoder);
}
// BrotliDecoderResult: 0 for an error, 1 at the end, 2 where more input is needed, 3 where more room is.
typedef int (*netwatch_brotli_step)(void *, size_t *, const uint8_t **, size_t *, uint8_t **, size_t *);
static inline netwatch_brotli_step netwatch_brotli_find_step(void) {
    return (netwatch_brotli_step)dlsym(NULL, "BrotliDecoderDecompressStream");
}

// zstd.h

typedef struct { const void *bytes; size_t count; size_t position; } netwatch_zstd_input;
typedef struct { void *bytes; size_t count; size_t position; } netwatch_zstd_output;

// With a window of at most 2^23 bytes, as the coding of HTTP has it (RFC 9659): zstd itself would set 128 MiB aside where a frame
// asks for it. 100 is ZSTD_d_windowLogMax.
static inline void *netwatch_zstd_create(void) {
    void *(*create)(void) = (void *(*)(void))dlsym(NULL, "ZSTD_createDStream");
    size_t (*set)(void *, int, int) = (size_t (*)(void *, int, int))dlsym(NULL, "ZSTD_DCtx_setParameter");
    void *decoder = create && set ? create() : NULL;
    if (decoder) set(decoder, 100, 23);
    return decoder;
}
static inline void netwatch_zstd_destroy(void *decoder) {
    size_t (*destroy)(void *) = (size_t (*)(void *))dlsym(NULL, "ZSTD_freeDStream");
    if (destroy) destroy(decoder);
}
// The bytes that it would like to have next; 0 at the end of a frame; an error by netwatch_zstd_is_error.
typedef size_t (*netwatch_zstd_step)(void *, netwatch_zstd_output *, netwatch_zstd_input *);
static inline netwatch_zstd_step netwatch_zstd_find_step(void) {
    return (netwatch_zstd_step)dlsym(NULL, "ZSTD_decompressStream");
}
// The largest of zstd's error codes is 120 (zstd_errors.h); they are returned as negative numbers.
static inline int netwatch_zstd_is_error(size_t result) {
    return result > (size_t)-120;
}
