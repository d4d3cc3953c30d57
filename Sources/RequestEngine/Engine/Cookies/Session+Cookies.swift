extension Session {
    /// The cookies held now, each as a line of a Netscape cookie file: seven fields with tabs between.
    public var cookies: [String] { jar?.lines ?? [] }

    public func removeCookies() throws(RequestError) {
        try jar?.removeAll()
    }

    /// Writes the cookies to their file, where there is one.
    public func saveCookies() throws(RequestError) {
        try jar?.save()
    }
}
