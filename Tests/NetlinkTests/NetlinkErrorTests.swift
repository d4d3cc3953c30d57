import Netlink
import SystemPackage
import Testing

@Suite("Netlink's errors")
struct NetlinkErrorTests {
    @Test(
        "one sentence: what failed, why, and what to do",
        arguments: [
            (
                NetlinkError.socket(call: "socket(AF_NETLINK)", .addressFamilyNotSupported),
                """
                netlink is not available: socket(AF_NETLINK): Address family not supported by protocol; allow sockets of \
                the family AF_NETLINK (systemd: RestrictAddressFamilies=, containers: the seccomp profile)
                """
            ),
            (
                .socket(call: "socket(AF_NETLINK)", .tooManyOpenFiles),
                """
                netlink is not available: socket(AF_NETLINK): Too many open files; raise the limit of open files \
                (ulimit -n)
                """
            ),
            (
                .refused(request: "RTM_GETLINK w0", .invalidArgument, message: "ifname too long"),
                "the kernel refused RTM_GETLINK w0: Invalid argument (ifname too long)"
            ),
            (.noAnswer(request: "RTM_GETLINK"), "the kernel did not answer RTM_GETLINK"),
            (
                .malformed(message: "RTM_NEWLINK", reason: "attribute 4 has 2 bytes, and 4 are needed"),
                "the kernel's RTM_NEWLINK cannot be read: attribute 4 has 2 bytes, and 4 are needed"
            ),
        ])
    func description(error: NetlinkError, words: String) {
        #expect("\(error)" == words)
    }
}
