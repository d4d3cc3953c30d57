package import RequestEngine

extension SHA256Digest {
    /// HMAC-SHA256 (RFC 2104).
    package init(authenticating message: [UInt8], key: [UInt8]) {
        let block = 64
        var key = key.count > block ? SHA256Digest(of: key).bytes : key
        key += [UInt8](repeating: 0, count: block - key.count)
        let inner = SHA256Digest(of: key.map { $0 ^ 0x36 } + message)
        self.init(of: key.map { $0 ^ 0x5C } + inner.bytes)
    }
}
