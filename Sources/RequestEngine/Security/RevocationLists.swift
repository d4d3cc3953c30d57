internal import COpenSSL

/// Certificate revocation lists (RFC 5280, section 5) that chains are checked against.
public struct RevocationLists: Hashable, Sendable, Codable {
    /// The lists' files, each DER (one list) or PEM (one or more).
    public var files: [String]
    public var scope: Scope

    /// Which certificates a list is required for.
    public enum Scope: String, Hashable, Sendable, Codable {
        /// The server's own certificate.
        case leaf
        /// Each certificate of the chain.
        case chain
    }

    public init(files: [String], scope: Scope = .leaf) {
        self.files = files
        self.scope = scope
    }
}

extension RevocationLists {
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case files, scope
    }

    /// `{"files": [PATH]}`, with `"scope": "chain"` for each certificate of the chain.
    public init(from decoder: any Decoder) throws {
        try decoder.refuseUnknownKeys(CodingKeys.self)
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            files: try container.decode([String].self, forKey: .files),
            scope: try container.decodeIfPresent(Scope.self, forKey: .scope) ?? .leaf)
    }
}

/// Owns the parsed lists of a policy. They are read once, and lent to each verification.
@safe
final class RevocationStore: Sendable {
    /// Safe because the stack is never changed once it is made, and is only read by OpenSSL.
    nonisolated(unsafe) let pointer: OpaquePointer?
    let scope: RevocationLists.Scope
    private let stamps: [FileStamp]

    /// Whether the files are still those that were read.
    var isCurrent: Bool { stamps.allSatisfy(\.isCurrent) }

    init(_ lists: RevocationLists) throws(SecurityError) {
        scope = lists.scope
        stamps = lists.files.map { FileStamp($0) }
        let stack = unsafe netwatch_crl_stack_new()
        unsafe pointer = stack
        for file in lists.files {
            try unsafe Self.read(file, into: stack)
        }
    }

    deinit {
        unsafe netwatch_crl_stack_free(pointer)
    }

    private static func read(_ path: String, into stack: OpaquePointer?) throws(SecurityError) {
        let bytes = try FileContents.read(path, limit: 64 << 20)
        let count = unsafe netwatch_crl_stack_count(stack)
        try withOpenSSLErrors { () throws(SecurityError) in
            try unsafe MemoryBIO(bytes).withPointer { unsafe read($0, isPEM: Certificate.isPEM(bytes), into: stack) }
            guard unsafe netwatch_crl_stack_count(stack) > count else {
                throw .notARevocationList(path: path, reason: latestOpenSSLError())
            }
        }
    }

    private static func read(_ input: OpaquePointer, isPEM: Bool, into stack: OpaquePointer?) {
        guard isPEM else {
            unsafe d2i_X509_CRL_bio(input, nil).map { unsafe push($0, onto: stack) }
            return
        }
        while let list = unsafe PEM_read_bio_X509_CRL(input, nil, refusePassphrase, nil) {
            unsafe push(list, onto: stack)
        }
    }

    private static func push(_ list: OpaquePointer, onto stack: OpaquePointer?) {
        if unsafe netwatch_crl_stack_push(stack, list) <= 0 { unsafe X509_CRL_free(list) }
    }
}
