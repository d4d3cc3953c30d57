import Foundation
import Glibc
import SystemPackage
import TestSupport

/// A proxy that is spoken to over TLS: stunnel in front of tinyproxy.
struct TLSProxy {
    static var isInstalled: Bool { ProxyServer.areInstalled && access("/usr/bin/stunnel4", X_OK) == 0 }

    let port: Int
    let proxy: ProxyServer
    private let folder: TemporaryFolder
    private let process: BackgroundProcess

    init(_ certificate: IssuedCertificate) throws {
        proxy = try ProxyServer(.http)
        port = try FreePort.next()
        folder = try TemporaryFolder()
        let configuration = """
            foreground = yes
            pid =
            [proxy]
            accept = 127.0.0.1:\(port)
            connect = 127.0.0.1:\(proxy.port)
            cert = \(certificate.chainFile)
            key = \(certificate.keyFile)
            """
        let file = try folder.write(configuration.utf8, to: "stunnel.conf")
        process = try BackgroundProcess(["/usr/bin/stunnel4", file.string])
        try FreePort.waitForListener(port)
    }
}
