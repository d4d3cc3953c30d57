public import Foundation
public import RequestCore

extension Bundle {
    /// The certificates in the bundle's folder of resources, or in a folder below it, and the files there that should be
    /// certificates and are not.
    public func certificates(inDirectory subpath: String? = nil) throws(SecurityError) -> CertificateFolder {
        let folder = resourcePath ?? bundlePath
        return try CertificateFolder(path: subpath.map { "\(folder)/\($0)" } ?? folder)
    }
}
