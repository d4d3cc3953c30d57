import Foundation
import Glibc
import SystemPackage
import TestSupport

/// A Kerberos realm with a key distribution centre of its own, a user with a ticket, and a lighttpd that wants one.
struct KerberosRealm {
    static var isInstalled: Bool {
        let files = [
            "/usr/sbin/krb5kdc", "/usr/sbin/kdb5_util", "/usr/sbin/kadmin.local", "/usr/bin/kinit",
            "/usr/lib/lighttpd/mod_authn_gssapi.so", "/usr/sbin/lighttpd",
        ]
        return files.allSatisfy { access($0, X_OK) == 0 || access($0, R_OK) == 0 }
    }

    let url: URL
    private let folder: TemporaryFolder
    private let center: BackgroundProcess
    private let server: BackgroundProcess

    /// Makes the realm, and points this process at it: to be called in a process that does nothing else.
    init() throws {
        folder = try TemporaryFolder()
        let path = folder.path.string
        let (centerPort, port) = (try FreePort.next(), try FreePort.next())
        url = URL(string: "http://localhost:\(port)/") ?? URL(filePath: "/")
        _ = try folder.write(Self.client(centerPort).utf8, to: "krb5.conf")
        _ = try folder.write(Self.center(path, centerPort).utf8, to: "kdc.conf")
        _ = try folder.write(Self.server(path, port).utf8, to: "lighttpd.conf")
        _ = try folder.write("negotiated".utf8, to: "index")
        setenv("KRB5_CONFIG", "\(path)/krb5.conf", 1)
        setenv("KRB5_KDC_PROFILE", "\(path)/kdc.conf", 1)
        setenv("KRB5CCNAME", "FILE:\(path)/tickets", 1)
        try Command.run(["kdb5_util", "create", "-s", "-r", "NETWATCH.TEST", "-P", "master"])
        for query in [
            "addprinc -randkey HTTP/localhost", "ktadd -k \(path)/keytab HTTP/localhost", "addprinc -pw secret user",
        ] { try Command.run(["kadmin.local", "-q", query]) }
        center = try BackgroundProcess(["krb5kdc", "-n", "-P", "\(path)/kdc.pid"])
        server = try BackgroundProcess(["lighttpd", "-D", "-f", "\(path)/lighttpd.conf"])
        try FreePort.waitForListener(centerPort)
        try FreePort.waitForListener(port)
    }

    /// Gets the user a ticket.
    func logIn() throws {
        try Command.run(["kinit", "user"], input: "secret\n")
    }

    private static func client(_ port: Int) -> String {
        """
        [libdefaults]
        default_realm = NETWATCH.TEST
        dns_lookup_kdc = false
        dns_lookup_realm = false
        dns_canonicalize_hostname = false
        rdns = false
        udp_preference_limit = 1
        [realms]
        NETWATCH.TEST = {
            kdc = 127.0.0.1:\(port)
        }
        [domain_realm]
        localhost = NETWATCH.TEST

        """
    }

    private static func center(_ path: String, _ port: Int) -> String {
        """
        [kdcdefaults]
        kdc_listen = 127.0.0.1:\(port)
        kdc_tcp_listen = 127.0.0.1:\(port)
        [realms]
        NETWATCH.TEST = {
            database_name = \(path)/principals
            key_stash_file = \(path)/stash
            acl_file = \(path)/acl
        }
        [logging]
        default = FILE:\(path)/kdc.log

        """
    }

    private static func server(_ path: String, _ port: Int) -> String {
        """
        server.modules = ("mod_auth", "mod_authn_gssapi")
        server.document-root = "\(path)"
        server.bind = "127.0.0.1"
        server.port = \(port)
        index-file.names = ("index")
        auth.backend = "gssapi"
        auth.backend.gssapi.keytab = "\(path)/keytab"
        auth.backend.gssapi.principal = "HTTP/localhost"
        auth.backend.gssapi.store-creds = "disable"
        auth.require = ("/" => ("method" => "gssapi", "realm" => "NETWATCH.TEST", "require" => "valid-user"))

        """
    }
}
