#pragma once

// What C's own headers declare stays Glibc's, also in a build of the whole module: see CLinux/shim.h.
#pragma clang module import SwiftGlibc

#include <sqlite3.h>

// SQLITE_TRANSIENT is a cast, which Swift does not see. Without bytes it would bind NULL, and not an empty blob.
static inline int netwatch_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_blob64(statement, index, count > 0 ? bytes : "", count, SQLITE_TRANSIENT);
}
