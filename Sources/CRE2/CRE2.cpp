#include "CRE2.h"

#include <re2/re2.h>
#include <re2/set.h>

#include <algorithm>
#include <string>

// A set of one: it is matched by the automaton alone, and says where there is no memory left for it. A single RE2 would fall
// back on another way then, which can take a thousand times as long.
struct netwatch_re2 {
    RE2::Set set;
};

static void write(char *place, size_t size, const std::string &text) {
    if (size == 0) return;
    place[text.copy(place, size - 1)] = 0;
}

netwatch_re2 *netwatch_re2_compile(
    const char *pattern, size_t length, int64_t memory, enum netwatch_re2_flaw *flaw, char *part, size_t part_size,
    char *reason, size_t reason_size) try {
    RE2::Options options;
    options.set_log_errors(false);
    options.set_never_capture(true);
    options.set_max_mem(memory);
    netwatch_re2 *expression = new netwatch_re2{RE2::Set(options, RE2::UNANCHORED)};
    const re2::StringPiece text(pattern, length);
    if (expression->set.Add(text, nullptr) >= 0) {
        if (expression->set.Compile()) {
            *flaw = NETWATCH_RE2_NO_FLAW;
            return expression;
        }
        *flaw = NETWATCH_RE2_TOO_LARGE;
    } else {
        // The set tells its reason only as a sentence.
        const RE2 alone(text, options);
        *flaw = alone.error_code() == RE2::ErrorPatternTooLarge ? NETWATCH_RE2_TOO_LARGE : NETWATCH_RE2_SYNTAX;
        write(part, part_size, alone.error_arg());
        write(reason, reason_size, alone.error());
    }
    delete expression;
    return nullptr;
} catch (...) {
    *flaw = NETWATCH_RE2_TOO_LARGE;
    return nullptr;
}

enum netwatch_re2_outcome netwatch_re2_search(const netwatch_re2 *expression, const char *text, size_t length) try {
    RE2::Set::ErrorInfo error;
    error.kind = RE2::Set::kNoError;
    if (expression->set.Match(re2::StringPiece(text, length), nullptr, &error)) return NETWATCH_RE2_MATCH;
    return error.kind == RE2::Set::kNoError ? NETWATCH_RE2_NO_MATCH : NETWATCH_RE2_OUT_OF_MEMORY;
} catch (...) {
    return NETWATCH_RE2_OUT_OF_MEMORY;
}

void netwatch_re2_free(netwatch_re2 *expression) {
    delete expression;
}
