import Testing

@testable import Netlink

@Suite("Kinds of device that this kernel may lack, from recorded messages")
struct RecordedLinkTests {
    @Test("the kind, and what it adds about the way traffic leaves", arguments: RecordedLink.all)
    func details(recorded: RecordedLink) throws {
        let notification = try NetlinkMessageParser.parse(Message(first: recorded.bytes.span))
        guard case .link(.new, let link)? = notification else {
            Issue.record("not a link message: \(String(describing: notification))")
            return
        }
        #expect(link.name == recorded.name)
        #expect(link.kind == recorded.kind)
        #expect(link.details == recorded.details)
    }

    @Test("a port of a bond names its controller and the controller's kind")
    func slave() throws {
        let recorded = try #require(RecordedLink.all.first { $0.name == "eth1" })
        let notification = try NetlinkMessageParser.parse(Message(first: recorded.bytes.span))
        guard case .link(.new, let link)? = notification else {
            Issue.record("not a link message: \(String(describing: notification))")
            return
        }
        #expect(link.slaveKind == "bond")
        #expect(link.controllerIndex == 13)
    }
}
