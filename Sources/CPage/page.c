#include "CPage.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char page[] = {
#embed "page.html"
};
const size_t netwatch_page_size = sizeof page;

const unsigned char *netwatch_page_start(void) {
    return page;
}
