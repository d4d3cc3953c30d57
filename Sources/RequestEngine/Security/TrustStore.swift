internal import COpenSSL
internal import Glibc

/// Owns OpenSSL's store of trusted certificates.
///
/// Reading a system bundle takes some 10 ms, so a store is made once and shared by all connections of one policy.
@safe
final class TrustStore: Sendable {
    /// Safe because an `X509_STORE` may be used by several threads at a time: it locks itself (X509_STORE_up_ref(3)).
    nonisolated(unsafe) let pointer: OpaquePointer?
    /// The files that were read, as they were just before.
    private let stamps: [FileStamp]

    /// Whether the files are still those that were read.
    var isCurrent: Bool { stamps.allSatisfy(\.isCurrent) }

    convenience init(_ anchors: TrustAnchors) throws(SecurityError) {
        switch anchors {
        case .system: try self.init(systemFile: Self.systemFile, systemFolder: Self.systemFolder)
        case .file(let path):
            let stamp = FileStamp(path)
            try self.init(Certificate.certificates(file: path), stamps: [stamp])
        case .folder(let path): try self.init(folder: path)
        case .certificates(let certificates): try self.init(certificates)
        }
    }

    private convenience init(folder path: String) throws(SecurityError) {
        // A file that is written anew in its place leaves the folder as it was.
        let stamps = try ([path] + CertificateFolder.files(in: path)).map(FileStamp.init)
        let folder = try CertificateFolder(path: path)
        if let rejected = folder.rejected.first { throw rejected }
        guard !folder.certificates.isEmpty else { throw .noCertificates(path: path) }
        try self.init(folder.certificates, stamps: stamps)
    }

    /// A store of exactly these certificates.
    init(_ certificates: [Certificate], stamps: [FileStamp] = []) throws(SecurityError) {
        self.stamps = stamps
        let store = try unsafe Self.make()
        unsafe pointer = store
        try withOpenSSLErrors { () throws(SecurityError) in
            for certificate in certificates {
                let isAdded = try unsafe X509Handle(der: certificate.der).withPointer {
                    unsafe X509_STORE_add_cert(store, $0) == 1
                }
                guard isAdded else { throw .library(call: "X509_STORE_add_cert", reason: latestOpenSSLError()) }
            }
        }
    }

    /// The host's store. Its folder, named by hashes, is read one certificate at a time, when one is needed. It may be
    /// several, with colons between.
    init(systemFile file: String, systemFolder folder: String) throws(SecurityError) {
        let paths = [file] + folder.split(separator: ":").map(String.init)
        guard paths.contains(where: { unsafe access($0, R_OK) == 0 }) else {
            throw .noSystemAnchors(file: file, folder: folder)
        }
        // OpenSSL would wait for the writer of a FIFO.
        var status = stat()
        guard unsafe stat(file, &status) != 0 || status.st_mode & S_IFMT == S_IFREG else {
            throw .unreadable(path: file, RegularFile.refusal)
        }
        stamps = paths.map { FileStamp($0) }
        let store = try unsafe Self.make()
        unsafe pointer = store
        try withOpenSSLErrors { () throws(SecurityError) in
            try unsafe Self.setDefaultPaths(of: store, file: file, folder: folder)
        }
    }

    /// Does what `X509_STORE_set_default_paths` does, which keeps to itself what it could not open: a store that is
    /// made while no descriptor is left would trust no server, and be kept and shared.
    private static func setDefaultPaths(
        of store: OpaquePointer, file: String, folder: String
    ) throws(SecurityError) {
        // What others have left in the queue is not about this store.
        ERR_clear_error()
        try unsafe add(X509_LOOKUP_file(), X509_L_FILE_LOAD, to: store, path: file)
        try unsafe add(X509_LOOKUP_hash_dir(), X509_L_ADD_DIR, to: store, path: folder)
        try unsafe add(X509_LOOKUP_store(), X509_L_ADD_STORE, to: store, path: folder)
    }

    /// Adds a way to look for certificates. OpenSSL itself knows where; the path is for the error.
    private static func add(
        _ method: OpaquePointer?, _ command: CInt, to store: OpaquePointer, path: String
    ) throws(SecurityError) {
        guard let lookup = unsafe X509_STORE_add_lookup(store, method) else {
            throw .library(call: "X509_STORE_add_lookup", reason: latestOpenSSLError())
        }
        // That there is nothing is no failure: another way may lead to it.
        _ = unsafe X509_LOOKUP_ctrl(lookup, command, nil, Int(X509_FILETYPE_DEFAULT), nil)
        if let shortage = takeOpenSSLShortage() { throw .unreadable(path: path, shortage) }
    }

    deinit {
        unsafe X509_STORE_free(pointer)
    }

    private static func make() throws(SecurityError) -> OpaquePointer {
        guard let store = unsafe X509_STORE_new() else {
            throw .library(call: "X509_STORE_new", reason: "out of memory")
        }
        return unsafe store
    }

    // MARK: Where the system's store is

    private static var systemFile: String {
        unsafe path(X509_get_default_cert_file_env(), otherwise: X509_get_default_cert_file())
    }

    private static var systemFolder: String {
        unsafe path(X509_get_default_cert_dir_env(), otherwise: X509_get_default_cert_dir())
    }

    private static func path(_ variable: UnsafePointer<CChar>?, otherwise standard: UnsafePointer<CChar>?) -> String {
        let path = unsafe variable.flatMap { unsafe getenv($0) }.map { unsafe UnsafePointer($0) } ?? standard
        return unsafe path.map { unsafe String(cString: $0) } ?? ""
    }
}
