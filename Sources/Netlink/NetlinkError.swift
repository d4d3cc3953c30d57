public import SystemPackage

/// Why a conversation with the kernel over netlink failed.
public enum NetlinkError: Error, Hashable, Sendable {
    /// A netlink socket could not be opened or set up: what was tried and what the kernel said.
    case socket(call: String, Errno)
    /// The kernel refused a request. `message` is its own explanation (NLMSGERR_ATTR_MSG), where it gave one.
    case refused(request: String, Errno, message: String?)
    /// An answer did not come in time.
    case noAnswer(request: String)
    /// A message could not be understood: which one, and what was wrong with it.
    case malformed(message: String, reason: String)
    /// A dump was interrupted more often than is worth repeating (NLM_F_DUMP_INTR).
    case interrupted(request: String)
}

extension NetlinkError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .socket(let call, let errno):
            "netlink is not available: \(call): \(errno)" + (Self.remedy(errno).map { "; \($0)" } ?? "")
        case .refused(let request, let errno, let message):
            "the kernel refused \(request): \(errno)" + (message.map { " (\($0))" } ?? "")
        case .noAnswer(let request):
            "the kernel did not answer \(request)"
        case .malformed(let message, let reason):
            "the kernel's \(message) cannot be read: \(reason)"
        case .interrupted(let request):
            "\(request) was interrupted by changes again and again"
        }
    }

    /// What to do where a sandbox is the likely cause.
    private static func remedy(_ errno: Errno) -> String? {
        switch errno {
        case .permissionDenied, .notPermitted, .addressFamilyNotSupported, .noFunction:
            "allow sockets of the family AF_NETLINK (systemd: RestrictAddressFamilies=, containers: the seccomp profile)"
        case .tooManyOpenFiles, .tooManyOpenFilesInSystem:
            "raise the limit of open files (ulimit -n)"
        case .noMemory, .noBufferSpace:
            "the kernel has no memory for it (net.core.optmem_max bounds filters, net.core.rmem_max buffers)"
        default:
            nil
        }
    }
}
