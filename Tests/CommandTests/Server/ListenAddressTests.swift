import NetwatchService
import Testing

@Suite("The address to listen on")
struct ListenAddressTests {
    @Test("is an IP address and a port", arguments: ["127.0.0.1:0", "0.0.0.0:65535", "[::1]:19115", "[::]:80"])
    func good(text: String) throws {
        #expect(try ListenAddress(text).description == text)
    }

    @Test(
        "is refused with what to write instead",
        arguments: [
            ("", "ADDRESS:PORT"), ("127.0.0.1", "ADDRESS:PORT"), ("[::1]", "ADDRESS:PORT"),
            ("127.0.0.1:", "0 to 65535"), ("127.0.0.1:65536", "0 to 65535"), ("127.0.0.1:-1", "0 to 65535"),
            ("127.0.0.1:+1", "0 to 65535"), ("::1:80", "brackets"), ("::1", "brackets"), ("here:80", "127.0.0.1"),
            (":80", "127.0.0.1"), ("[127.0.0.1]:80", "127.0.0.1"), ("256.0.0.1:80", "127.0.0.1"),
        ])
    func bad(text: String, remedy: String) {
        let mistake = #expect(throws: ListenAddress.Mistake.self) { try ListenAddress(text) }
        #expect(mistake?.description.contains(remedy) == true)
    }
}
