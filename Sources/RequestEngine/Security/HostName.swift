internal import COpenSSL

/// A host as a URL names it, in the form that certificates are compared with.
struct HostName {
    /// In ASCII, as certificates have it, without the brackets and zone of an IPv6 address, and without the dot that ends
    /// an absolute name.
    let text: String

    init(_ host: String) {
        var text = Substring(host)
        if text.hasPrefix("["), text.hasSuffix("]") { text = text.dropFirst().dropLast() }
        if let zone = text.firstIndex(of: "%"), text.contains(":") { text = text[..<zone] }
        if text.hasSuffix(".") { text = text.dropLast() }
        self.text = InternationalName.ascii(String(text)) ?? String(text)
    }

    /// No common name in the place of a host name (RFC 9525, section 2), and `*` only as a whole label.
    static let checkFlags = UInt32(X509_CHECK_FLAG_NEVER_CHECK_SUBJECT | X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS)

    /// Makes a verification require this host; false where no certificate can be for it.
    func require(by parameters: OpaquePointer?) -> Bool {
        if unsafe X509_VERIFY_PARAM_set1_ip_asc(parameters, text) == 1 { return true }
        return unsafe !text.isEmpty && X509_VERIFY_PARAM_set1_host(parameters, text, text.utf8.count) == 1
    }

    /// Whether a certificate is for this host, whichever authority issued it.
    func matches(_ x509: OpaquePointer?) -> Bool {
        if unsafe X509_check_ip_asc(x509, text, 0) == 1 { return true }
        return unsafe !text.isEmpty && X509_check_host(x509, text, text.utf8.count, Self.checkFlags, nil) == 1
    }
}
