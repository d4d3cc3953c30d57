#pragma once

// What C's own headers declare stays Glibc's, also in a build of the whole module: see CLinux/shim.h.
#pragma clang module import SwiftGlibc

#include <zlib.h>

// deflateInit2 is a macro, which Swift does not see. 16 more than the window's 15 bits asks for gzip's header (zlib.h).
static inline int netwatch_gzip_begin(z_stream *stream, int level) {
    return deflateInit2(stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}
