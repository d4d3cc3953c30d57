// Preloaded: tells on standard error of each exit handler that OpenSSL registers.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <string.h>
#include <unistd.h>

int __cxa_atexit(void (*handler)(void *), void *argument, void *library) {
    int (*next)(void (*)(void *), void *, void *) = dlsym(RTLD_NEXT, "__cxa_atexit");
    Dl_info place;
    if (dladdr((void *)handler, &place) && place.dli_fname && strstr(place.dli_fname, "libcrypto")) {
        static const char line[] = "OpenSSL tidies up at exit\n";
        (void)!write(2, line, sizeof line - 1);
    }
    return next(handler, argument, library);
}
