import Foundation
import RequestCore
import RequestFoundation
import TestSupport
import Testing

@Suite("Certificates of a bundle")
struct BundleTests {
    @Test("those in its resources are found in every form, and what is none is named")
    func certificates() throws {
        let authority = try CertificateAuthority()
        let server = try authority.issue("server")
        let folder = authority.folder + "/Mine.bundle"
        let resources = folder + "/Contents/Resources"
        for path in ["pins"] {
            try FileManager.default.createDirectory(
                atPath: "\(resources)/\(path)", withIntermediateDirectories: true)
        }
        try FileManager.default.copyItem(atPath: server.file, toPath: "\(resources)/pins/leaf.PEM")
        try Command.run([
            "openssl", "x509", "-in", authority.rootFile, "-outform", "DER", "-out", "\(resources)/pins/root.cer",
        ])
        try Data("not one".utf8).write(to: URL(filePath: "\(resources)/pins/other.crt"))
        try Data("text".utf8).write(to: URL(filePath: "\(resources)/pins/readme.txt"))
        let bundle = try #require(Bundle(path: folder))
        let found = try bundle.certificates(inDirectory: "pins")
        #expect(found.certificates.map(\.subject).sorted() == ["CN=Test Root", "CN=server"])
        #expect(found.rejected.count == 1)
        #expect("\(found.rejected)".contains("other.crt"))
        #expect(throws: SecurityError.self) { try bundle.certificates(inDirectory: "nowhere") }

        var policy = SecurityPolicy(pinningMode: .certificate, pinnedCertificates: found.certificates)
        policy.anchors = .file(authority.rootFile)
        let chain = try Certificate.certificates(file: server.chainFile)
        #expect(try policy.evaluate(chain: chain, host: "localhost").allowed == nil)
    }
}
