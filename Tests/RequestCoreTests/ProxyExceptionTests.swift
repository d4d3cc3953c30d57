import RequestEngine
import Testing

@Suite("The exceptions of a proxy")
struct ProxyExceptionTests {
    private func excepts(_ exceptions: [String], _ host: String) -> Bool {
        ProxyExceptions(exceptions).contain(host)
    }

    private static let named: [([String], String)] = [
        (["*"], "any.example"), (["example.com"], "example.com"), (["example.com"], "www.Example.COM."),
        (["a.example", ".Example.com."], "www.example.com"), (["a.example b.example"], "b.example"),
        (["192.0.2.1"], "192.0.2.1"), (["192.0.2.0/24"], "192.0.2.77"), (["192.0.2.1/0"], "192.0.2.1"),
        (["2001:DB8::1"], "2001:db8::1"),
    ]

    @Test("are those that they name, and those below them", arguments: named)
    func names(exceptions: [String], host: String) {
        #expect(excepts(exceptions, host))
    }

    private static let others: [([String], String)] = [
        ([], "example.com"), ([""], "example.com"), (["."], "example.com"), (["*", "a.example"], "example.com"),
        (["*.example.com"], "www.example.com"), (["example.com"], "badexample.com"),
        (["www.example.com"], "example.com"), (["2.1"], "192.0.2.1"), (["192.0.2.0/24"], "192.0.3.1"),
        (["192.0.2.0/0"], "198.51.100.1"), (["192.0.2.0/33"], "192.0.2.0"), (["2001:db8::/32"], "2001:db8::1"),
        (["::1"], "0.0.0.1"),
    ]

    @Test("are no others", arguments: others)
    func doesNotName(exceptions: [String], host: String) {
        #expect(!excepts(exceptions, host))
    }
}
