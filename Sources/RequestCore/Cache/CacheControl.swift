import RequestEngine

/// The directives of `Cache-Control` (RFC 9111, section 5.2; RFC 5861). Times are in seconds.
struct CacheControl: Equatable {
    private var directives: [String: String] = [:]

    init(_ headers: HeaderFields) {
        for field in headers.values(of: "Cache-Control") { read(field) }
        // RFC 9111, section 5.4: an old way to say no-cache.
        if !headers.contains(name: "Cache-Control"), headers["Pragma"]?.equalsIgnoringCase("no-cache") == true {
            directives["no-cache"] = ""
        }
    }

    private mutating func read(_ field: String) {
        var parser = FieldParser(field)
        while !parser.isAtEnd {
            // Some servers part them by semicolons.
            while parser.skip(",") || parser.skip(";") {}
            guard let name = parser.token()?.lowercased() else {
                parser.drop(until: ",;")
                continue
            }
            let value = parser.skip("=") ? parser.value() : nil
            // The first of two that contradict each other counts.
            if directives[name] == nil { directives[name] = value ?? "" }
        }
    }

    func contains(_ directive: String) -> Bool { directives[directive] != nil }

    /// A directive's number; a value that is none is taken as 0, which is the cautious way (section 4.2.1).
    func seconds(_ directive: String) -> Int64? {
        directives[directive].map { DeltaSeconds.parse($0) ?? 0 }
    }

    /// How much older than fresh a request accepts; all ages where `max-stale` has no number.
    var maximumStaleness: Int64 {
        guard let value = directives["max-stale"] else { return 0 }
        return value.isEmpty ? .max : DeltaSeconds.parse(value) ?? 0
    }
}
