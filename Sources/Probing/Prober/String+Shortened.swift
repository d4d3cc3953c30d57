extension String {
    /// The beginning of a text from the network, as events, lines and metrics can carry it: a certificate's name
    /// or a record may have 60 kB.
    var shortened: String {
        guard utf8.count > 500 else { return self }
        var beginning = utf8.prefix(500)
        // Never half a character of several bytes.
        while let last = beginning.last, last >= 0x80, String(beginning) == nil { beginning.removeLast() }
        return String(decoding: beginning, as: UTF8.self) + "…"
    }
}
