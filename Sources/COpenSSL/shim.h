#pragma once

// OpenSSL's headers, and `static inline` functions for its macros that Swift cannot import.

// Glibc's types stay Glibc's, in a build of the whole module too.
#pragma clang module import SwiftGlibc

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/ocsp.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>

// STACK_OF(X509), STACK_OF(X509_CRL), GENERAL_NAMES: typed by macros.

static inline STACK_OF(X509) *netwatch_x509_stack_new(void) {
    return sk_X509_new_null();
}
static inline int netwatch_x509_stack_count(const STACK_OF(X509) *stack) {
    return sk_X509_num(stack);
}
static inline X509 *netwatch_x509_stack_value(const STACK_OF(X509) *stack, int index) {
    return sk_X509_value(stack, index);
}
static inline int netwatch_x509_stack_push(STACK_OF(X509) *stack, X509 *certificate) {
    return sk_X509_push(stack, certificate);
}
static inline void netwatch_x509_stack_free(STACK_OF(X509) *stack) {
    sk_X509_pop_free(stack, X509_free);
}
static inline STACK_OF(X509_CRL) *netwatch_crl_stack_new(void) {
    return sk_X509_CRL_new_null();
}
static inline int netwatch_crl_stack_count(const STACK_OF(X509_CRL) *stack) {
    return sk_X509_CRL_num(stack);
}
static inline int netwatch_crl_stack_push(STACK_OF(X509_CRL) *stack, X509_CRL *list) {
    return sk_X509_CRL_push(stack, list);
}
static inline void netwatch_crl_stack_free(STACK_OF(X509_CRL) *stack) {
    sk_X509_CRL_pop_free(stack, X509_CRL_free);
}
static inline int netwatch_general_names_count(const GENERAL_NAMES *names) {
    return sk_GENERAL_NAME_num(names);
}
static inline const GENERAL_NAME *netwatch_general_names_value(const GENERAL_NAMES *names, int index) {
    return sk_GENERAL_NAME_value(names, index);
}
static inline const ASN1_STRING *netwatch_general_name_string(const GENERAL_NAME *name) {
    return name->d.ia5;
}

// RFC 2253, with letters beyond ASCII left as they are.
static inline int netwatch_name_print(BIO *output, const X509_NAME *name) {
    return X509_NAME_print_ex(output, name, 0, XN_FLAG_RFC2253 & ~ASN1_STRFLGS_ESC_MSB);
}

static inline long netwatch_bio_memory(BIO *bio, char **bytes) {
    return BIO_get_mem_data(bio, bytes);
}

// SSL_CTX settings made of SSL_CTX_ctrl(3).

static inline int netwatch_ssl_ctx_set_min_version(SSL_CTX *context, int version) {
    return SSL_CTX_set_min_proto_version(context, version);
}

static inline int netwatch_ssl_ctx_set_max_version(SSL_CTX *context, int version) {
    return SSL_CTX_set_max_proto_version(context, version);
}

// Has a function called with each alert that comes, whose type is a macro's, too.

static inline void netwatch_ssl_ctx_watch_alerts(SSL_CTX *context, void (*callback)(const SSL *, int, int)) {
    SSL_CTX_set_info_callback(context, callback);
}

// Whether what an info callback is told is the peer's word that it will send nothing more (RFC 8446, section 6.1).
static inline int netwatch_ssl_is_close_notify(int type, int value) {
    return (type & SSL_CB_READ_ALERT) == SSL_CB_READ_ALERT && (value & 0xFF) == SSL_AD_CLOSE_NOTIFY;
}

static inline int netwatch_ssl_ctx_set1_chain(SSL_CTX *context, STACK_OF(X509) *chain) {
    return SSL_CTX_set1_chain(context, chain);
}
// The OCSP response that a server staples to its certificate (RFC 6066, section 8).
static inline void netwatch_ssl_ctx_ask_for_status(SSL_CTX *context, int (*callback)(SSL *, void *), void *argument) {
    SSL_CTX_set_tlsext_status_type(context, TLSEXT_STATUSTYPE_ocsp);
    SSL_CTX_set_tlsext_status_cb(context, callback);
    SSL_CTX_set_tlsext_status_arg(context, argument);
}
static inline long netwatch_ssl_status_response(SSL *connection, const unsigned char **bytes) {
    return SSL_get_tlsext_status_ocsp_resp(connection, bytes);
}
// Whether an entry of an OCSP response is about a certificate of an issuer, by the digest that the entry uses.
static inline int netwatch_ocsp_entry_is_about(OCSP_SINGLERESP *entry, const X509 *certificate, const X509 *issuer) {
    const OCSP_CERTID *id = OCSP_SINGLERESP_get0_id(entry);
    ASN1_OBJECT *algorithm = NULL;
    if (OCSP_id_get0_info(NULL, &algorithm, NULL, NULL, (OCSP_CERTID *)id) != 1) return 0;
    const EVP_MD *digest = EVP_get_digestbyobj(algorithm);
    if (digest == NULL) return 0;
    OCSP_CERTID *own = OCSP_cert_to_id(digest, certificate, issuer);
    int is_about = own != NULL && OCSP_id_cmp(own, id) == 0;
    OCSP_CERTID_free(own);
    return is_about;
}

static inline int netwatch_ssl_ctx_new_index(CRYPTO_EX_free *release) {
    return SSL_CTX_get_ex_new_index(0, NULL, NULL, NULL, release);
}
