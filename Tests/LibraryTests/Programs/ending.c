// ending HOW CA_FILE: ends while TLS connections are under way, after it has set up OpenSSL itself, as many hosts have.
#include "expect.h"
#include <openssl/ssl.h>
#include <unistd.h>

int main(int argc, char **argv) {
    EXPECT(argc == 3);
    EXPECT(OPENSSL_init_ssl(0, NULL) == 1);
    SSL_CTX_free(SSL_CTX_new(TLS_client_method()));
    char configuration[1024];
    snprintf(configuration, sizeof configuration,
        "{\"caFile\": \"%s\", \"interval\": 0.05, \"jitter\": 0, \"targets\": [{\"url\": \"https://192.0.2.2/a\"},"
        "{\"url\": \"https://192.0.2.2/b\"}, {\"url\": \"tls://192.0.2.2:443\"}]}", argv[2]);
    char *error = NULL;
    netwatch *monitor = netwatch_create(configuration, &error);
    if (!monitor) return puts(error), 1;
    EXPECT(netwatch_start(monitor, NULL) == 0);
    EXPECT(netwatch_wait(monitor, "full", 20000, NULL) == 1);
    usleep((useconds_t)getpid() % 50 * 1000);
    if (strcmp(argv[1], "running") != 0) netwatch_stop(monitor);
    if (strcmp(argv[1], "freed") == 0) {
        netwatch_free(monitor);
        OPENSSL_cleanup();
    }
    puts("ok");
    return 0;
}
