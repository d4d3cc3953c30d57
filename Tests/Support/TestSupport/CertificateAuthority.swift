internal import Foundation
import Synchronization

/// A certificate authority of a test's own, made by the openssl command: a root, an intermediate below it, and what they
/// are told to issue. Its files are deleted with the last reference to it.
public final class CertificateAuthority: Sendable {
    /// Where the files are.
    public let folder: String
    /// How many certificates were issued. `openssl ca` keeps a database in files, so one runs at a time.
    private let count = Mutex(0)

    /// The root's certificate: what trusts this authority trusts.
    public var rootFile: String { "\(folder)/root.pem" }
    public var intermediateFile: String { "\(folder)/intermediate.pem" }

    public init() throws {
        folder = NSTemporaryDirectory() + "netwatch-ca-\(UUID().uuidString)"
        for issuer in [Issuer.root, .intermediate] {
            try FileManager.default.createDirectory(
                atPath: "\(folder)/\(issuer.rawValue).db", withIntermediateDirectories: true)
            try write("", to: "\(issuer.rawValue).db/index.txt")
            try write("unique_subject = no\n", to: "\(issuer.rawValue).db/index.txt.attr")
            try write("01\n", to: "\(issuer.rawValue).db/crlnumber")
        }
        try write(configuration, to: "ca.cnf")
        try makeAuthority("root", subject: "Test Root", issuer: .itself)
        try makeAuthority("intermediate", subject: "Test Intermediate", issuer: .root)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Who signs.
    public enum Issuer: String, Sendable {
        case root, intermediate
        /// The certificate's own key.
        case itself
    }

    /// Issues a certificate for a common name and what the request says.
    public func issue(
        _ commonName: String, _ request: CertificateRequest = CertificateRequest()
    ) throws -> IssuedCertificate {
        let number = count.withLock { count in
            count += 1
            return count
        }
        return try make("issued-\(number)", subject: commonName, request)
    }

    /// Puts a certificate on its issuer's revocation list.
    public func revoke(_ certificate: IssuedCertificate) throws {
        try ca(certificate.issuer, "-revoke", certificate.file)
    }

    /// Makes the present revocation list of an issuer and returns its file, PEM.
    public func revocationList(of issuer: Issuer = .intermediate, days: Int = 30) throws -> String {
        let file = "\(folder)/\(issuer.rawValue)-\(UUID().uuidString).crl"
        try ca(issuer, "-gencrl", "-crldays", "\(days)", "-out", file)
        return file
    }

    /// Makes what the issuer says now of a certificate, as an OCSP response in DER, and returns its file.
    ///
    /// - Parameters:
    ///   - signer: Who signs in the issuer's name; nil for the issuer itself.
    ///   - days: How long it counts; nil leaves it open.
    public func statusResponse(
        for certificate: IssuedCertificate, signedBy signer: IssuedCertificate? = nil, days: Int? = 1
    ) throws -> String {
        let issuer = certificate.issuer
        let file = "\(folder)/\(UUID().uuidString).ocsp"
        let issuerFile = "\(folder)/\(issuer.rawValue).pem"
        try count.withLock { _ in
            _ = try Command.run(
                [
                    "openssl", "ocsp", "-index", "\(folder)/\(issuer.rawValue).db/index.txt", "-CA", issuerFile,
                    "-rsigner", signer?.file ?? issuerFile, "-rkey",
                    signer?.keyFile ?? "\(folder)/\(issuer.rawValue).key", "-issuer", issuerFile,
                    "-cert", certificate.file, "-no_nonce", "-noverify", "-respout", file,
                ] + (days.map { ["-ndays", "\($0)"] } ?? []))
        }
        return file
    }

    // MARK: Making

    /// Authorities are valid from ten years ago, so that what they issue may be old.
    private func makeAuthority(_ name: String, subject: String, issuer: Issuer) throws {
        let request = CertificateRequest(names: []) {
            $0.isAuthority = true
            $0.issuer = issuer
            $0.notBefore -= 3650 * 86400
            $0.notAfter += 3650 * 86400
        }
        _ = try make(name, subject: subject, request)
    }

    private func make(_ name: String, subject: String, _ request: CertificateRequest) throws -> IssuedCertificate {
        let base = "\(folder)/\(name)"
        let issued = IssuedCertificate(
            file: "\(base).pem", chainFile: "\(base).chain.pem", keyFile: "\(base).key", issuer: request.issuer)
        try Command.run(
            ["openssl", "req", "-new", "-nodes", "-utf8", "-config", "\(folder)/ca.cnf"] + request.key.arguments + [
                "-subj", "/CN=\(subject)", "-keyout", issued.keyFile, "-out", "\(base).csr",
            ])
        try write(request.extensions, to: "\(name).ext")
        var arguments = [
            "-in", "\(base).csr", "-out", issued.file, "-notext", "-extfile", "\(base).ext",
            "-startdate", Self.format(request.notBefore), "-enddate", Self.format(request.notAfter),
        ]
        if request.issuer == .itself { arguments += ["-selfsign", "-keyfile", issued.keyFile] }
        try ca(request.issuer == .itself ? .root : request.issuer, arguments)
        try writeChain(of: issued)
        return issued
    }

    /// What a server sends: the certificate, and the intermediate if that has signed it.
    private func writeChain(of issued: IssuedCertificate) throws {
        var chain = try String(contentsOfFile: issued.file, encoding: .utf8)
        if issued.issuer == .intermediate { chain += try String(contentsOfFile: intermediateFile, encoding: .utf8) }
        try chain.write(toFile: issued.chainFile, atomically: true, encoding: .utf8)
    }

    private func ca(_ issuer: Issuer, _ arguments: String...) throws {
        try ca(issuer, arguments)
    }

    private func ca(_ issuer: Issuer, _ arguments: [String]) throws {
        try count.withLock { _ in
            _ = try Command.run(
                ["openssl", "ca", "-batch", "-config", "\(folder)/ca.cnf", "-name", issuer.rawValue] + arguments)
        }
    }

    private func write(_ text: String, to name: String) throws {
        try text.write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8)
    }

    private static func format(_ date: Date) -> String {
        let parts = Calendar(identifier: .gregorian).dateComponents(
            in: TimeZone(secondsFromGMT: 0) ?? .current, from: date)
        let numbers = [parts.month, parts.day, parts.hour, parts.minute, parts.second]
        return "\(parts.year ?? 0)" + numbers.map { String(format: "%02d", $0 ?? 0) }.joined() + "Z"
    }

    private var configuration: String {
        func section(_ issuer: Issuer) -> String {
            """
            [\(issuer.rawValue)]
            database = \(folder)/\(issuer.rawValue).db/index.txt
            crlnumber = \(folder)/\(issuer.rawValue).db/crlnumber
            new_certs_dir = \(folder)/\(issuer.rawValue).db
            certificate = \(folder)/\(issuer.rawValue).pem
            private_key = \(folder)/\(issuer.rawValue).key
            default_md = sha256
            policy = policy
            unique_subject = no
            rand_serial = yes

            """
        }
        return section(.root) + section(.intermediate) + """
            [policy]
            commonName = supplied
            [req]
            distinguished_name = name
            [name]

            """
    }
}
