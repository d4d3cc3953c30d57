import Glibc

/// The proxy that the environment names, found as libcurl (7.88) finds it (lib/url.c, detect_proxy): an empty variable
/// is none, and `HTTP_PROXY` in capitals, which a server of CGI sets to what its client has sent, is not looked at.
///
/// libcurl reads the same variables, on the same thread and with each connection: a program that sets variables while
/// requests are under way has the same to mind as without this (setenv(3)).
enum EnvironmentProxy {
    /// - Parameter host: In ASCII, without the brackets of an IPv6 address.
    static func isUsed(for host: String, isSecure: Bool) -> Bool {
        let own = isSecure ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy"]
        guard (own + ["all_proxy", "ALL_PROXY"]).contains(where: { value($0) != nil }) else { return false }
        return !ProxyExceptions([value("no_proxy") ?? value("NO_PROXY") ?? ""]).contain(host)
    }

    private static func value(_ name: String) -> String? {
        unsafe getenv(name).map { unsafe String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }
}
