// RE2 for C: regular expressions that are matched in time that grows with the text alone, whatever the text is made of.
// No exception comes out of any of these functions.
#ifndef NETWATCH_CRE2_H
#define NETWATCH_CRE2_H

#include <stddef.h>
#include <stdint.h>

// For the program and the library they are linked into, and not for those who link with that.
#pragma GCC visibility push(hidden)
#ifdef __cplusplus
extern "C" {
#endif

// An expression that was compiled. It may be matched by several threads at one time.
typedef struct netwatch_re2 netwatch_re2;

enum netwatch_re2_outcome {
    NETWATCH_RE2_MATCH,
    NETWATCH_RE2_NO_MATCH,
    // There is not enough memory to tell.
    NETWATCH_RE2_OUT_OF_MEMORY,
};

enum netwatch_re2_flaw {
    NETWATCH_RE2_NO_FLAW,
    // The expression is none of RE2's syntax; the text says which part of it, and why.
    NETWATCH_RE2_SYNTAX,
    // It is one, and needs more memory than it may take.
    NETWATCH_RE2_TOO_LARGE,
};

// Compiles an expression that may take so much memory, itself and while it is matched. Where that cannot be done it returns
// NULL, and writes the part of the expression that is at fault, and what is wrong with it, as texts that end with 0.
netwatch_re2 *netwatch_re2_compile(
    const char *pattern, size_t length, int64_t memory, enum netwatch_re2_flaw *flaw, char *part, size_t part_size,
    char *reason, size_t reason_size);

// Looks for it anywhere in a text of UTF-8.
enum netwatch_re2_outcome netwatch_re2_search(const netwatch_re2 *expression, const char *text, size_t length);

void netwatch_re2_free(netwatch_re2 *expression);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
