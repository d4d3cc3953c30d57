// What the test programs have in common: an expectation that does not hold ends the program with a line that says so.
#pragma once
#include <netwatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPECT(condition)                                                       \
    do {                                                                        \
        if (!(condition)) {                                                     \
            printf("line %d: %s does not hold\n", __LINE__, #condition);        \
            fflush(stdout);                                                     \
            _Exit(1);                                                           \
        }                                                                       \
    } while (0)

// A text that the library gave out says something. It is freed.
#define EXPECT_TEXT(text, part)                                                 \
    do {                                                                        \
        char *given = (text);                                                   \
        if (!given || !strstr(given, part)) {                                   \
            printf("line %d: \"%s\" does not say \"%s\"\n", __LINE__, given ? given : "(null)", part); \
            fflush(stdout);                                                     \
            _Exit(1);                                                           \
        }                                                                       \
        netwatch_string_free(given);                                            \
    } while (0)
