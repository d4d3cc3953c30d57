#pragma once

#include <stddef.h>

/// How many bytes the page at `/` has.
extern const size_t netwatch_page_size;

/// The page: HTML in UTF-8, in which the server puts in what differs.
const unsigned char *netwatch_page_start(void);
