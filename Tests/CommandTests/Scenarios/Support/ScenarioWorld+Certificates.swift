import Foundation
import SystemPackage
import TestSupport

/// Servers with certificates, and what is wrong with these.
extension ScenarioWorld {
    enum Validity { case valid, notYetValid, expired, endingSoon }

    /// Watches some targets over TLS, and others in plain HTTP.
    func watchSecurely(
        _ secure: ClosedRange<Int>, plainly plain: ClosedRange<Int>, title: String = #function
    ) throws -> Story {
        let authority = try CertificateAuthority()
        self.authority = authority
        try certify(secure, .valid)
        let targets = secure.map { Target("t\($0)", "https://t\($0).test/") }
        return try watch(targets + Target.numbers(plain), #""caFile": "\#(authority.rootFile)""#, title: title)
    }

    /// Gives targets certificates of their own.
    func certify(_ numbers: ClosedRange<Int>, _ validity: Validity) throws {
        for number in numbers { try certify(number...number, validity, by: "t\(number).test") }
    }

    /// Gives targets one certificate.
    func certify(_ numbers: ClosedRange<Int>, _ validity: Validity, by name: String) throws {
        guard let authority else { return }
        let request = CertificateRequest(names: numbers.map { "DNS:t\($0).test" }) {
            switch validity {
            case .valid: break
            case .endingSoon: $0.notAfter = Date(timeIntervalSinceNow: 20 * 86400)
            case .notYetValid: $0.notBefore += 300 * 86400
            case .expired: ($0.notBefore, $0.notAfter) = ($0.notBefore - 20 * 86400, $0.notBefore - 10 * 86400)
            }
        }
        let issued = try authority.issue(name, request)
        // In one file, so that no connection meets the key of another certificate.
        let pair = try [issued.keyFile, issued.chainFile].map {
            try String(contentsOf: URL(filePath: $0), encoding: .utf8)
        }
        for number in numbers {
            let file = folder.path.appending("\(Self.address(number)).pem").string
            try Data((pair[1] + pair[0]).utf8).write(to: URL(filePath: file), options: .atomic)
        }
    }
}
