extension Target {
    /// Connectivity-check endpoints of several operators, each with the answer its operator promises.
    ///
    /// Plain HTTP finds portals, which cannot answer in the place of a TLS server; HTTPS beside it proves that more than
    /// port 80 works. No operator is asked twice in plain HTTP, so that one operator's outage stays its own.
    public static let defaults: [Target] = [
        // Google, for Android (NetworkStack, `config_captive_portal_http_url`).
        reference("google", "http://connectivitycheck.gstatic.com/generate_204", .noContent),
        // Mozilla, for Firefox (`captivedetect.canonicalURL` beside it; success.txt is the shorter body).
        reference("mozilla", "http://detectportal.firefox.com/success.txt", .body("success")),
        // Debian, for its NetworkManager (network-manager-config-connectivity-debian).
        reference("debian", "http://network-test.debian.org/nm", .body("NetworkManager is online")),
        // Google, for Android (`config_captive_portal_https_url`).
        reference("google-tls", "https://www.google.com/generate_204", .noContent),
        // Cloudflare's own portal check.
        reference("cloudflare-tls", "https://cp.cloudflare.com/generate_204", .noContent),
    ]

    /// How often one of ``defaults`` is asked where it takes turns with the others; nil for any other target. Over TLS a probe
    /// costs seven times as much, and shows a portal no better.
    var intervalInTurn: Duration? {
        guard role == .reference, isPublic, Self.defaults.contains(self) else { return nil }
        return isSecure ? .seconds(1800) : .seconds(180)
    }

    private static func reference(_ name: String, _ url: String, _ expectation: Expectation) -> Target {
        var target = Target(checked: url, name: name, role: .reference, expectation: expectation)
        target.isPublic = true
        return target
    }
}
