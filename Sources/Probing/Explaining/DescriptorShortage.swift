internal import Connectivity
internal import Glibc
internal import SystemPackage

/// This process cannot open as many files as one look along the way takes.
struct DescriptorShortage {
    let errno: Errno

    /// Sockets for the kernel, the name servers and the connection, and the certificate authorities' file.
    static let ofTheWay = 16
    /// And those that ask at one time whether anything else works.
    static let ofElsewhere = 48

    /// Opens that many and closes them again; nil where that went well.
    static func found(needing needed: Int = ofTheWay) -> DescriptorShortage? {
        var open: [CInt] = []
        defer { open.forEach { close($0) } }
        while open.count < needed {
            let descriptor = socket(AF_INET, CInt(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
            guard descriptor >= 0 else { return shortage(Errno(rawValue: Glibc.errno)) }
            open.append(descriptor)
        }
        return nil
    }

    /// Another error, as that of a sandbox, is not about how many there are.
    private static func shortage(_ errno: Errno) -> DescriptorShortage? {
        let isShortage = [.tooManyOpenFiles, .tooManyOpenFilesInSystem, .noMemory, .noBufferSpace].contains(errno)
        return isShortage ? DescriptorShortage(errno: errno) : nil
    }

    var step: Explanation.Step {
        let isOwn = errno == .tooManyOpenFiles
        return .broken(
            .host, isOwn ? "this process may open no more files (\(Self.limit))" : "this host has no room: \(errno)",
            .overloaded,
            advice: isOwn
                ? "raise the limit (ulimit -n, systemd: LimitNOFILE=), or see what holds so many open"
                : "see what holds so many files open, or so much memory",
            command: isOwn ? "ulimit -n" : "sysctl fs.file-nr")
    }

    private static var limit: String {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return "RLIMIT_NOFILE" }
        return "RLIMIT_NOFILE \(limit.rlim_cur)"
    }
}
