import FoundationEssentials

extension URL {
    /// Scheme, host and port: what may be shown of an address whose path or query may be a key.
    var place: String {
        let port = port.map { ":\($0)" } ?? ""
        let host = host() ?? ""
        return
            "\(scheme ?? "http")://\(host.utf8.contains(UInt8(ascii: ":")) && !host.hasPrefix("[") ? "[\(host)]" : host)\(port)"
    }
}
