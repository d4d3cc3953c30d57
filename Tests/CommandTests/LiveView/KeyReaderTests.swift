import Testing

@testable import NetwatchService

@Suite("Keys of the live view")
struct KeyReaderTests {
    private static func commands(_ text: String) -> [LiveCommand] {
        var reader = KeyReader()
        return text.utf8.compactMap { reader.take($0) }
    }

    @Test(
        "are found among the bytes that terminals send for them",
        arguments: [
            ("q", [.quit]), ("j", [.scroll(.lines(1))]), ("\u{1B}[A", [.scroll(.lines(-1))]),
            ("\u{1B}OB", [.scroll(.lines(1))]), ("\u{1B}[1;5A", [.scroll(.lines(-1))]),
            ("\u{1B}[5~\u{1B}[6~", [.scroll(.pages(-1)), .scroll(.pages(1))]),
            ("\u{1B}[H\u{1B}[4~gG", [.scroll(.start), .scroll(.end), .scroll(.start), .scroll(.end)]),
            ("\u{1B}[I\u{1B}[O", [.focus(true), .focus(false)]),
            ("\u{1B}\u{1B}[Bk", [.scroll(.lines(1)), .scroll(.lines(-1))]),
        ] as [(String, [LiveCommand])])
    func found(text: String, commands: [LiveCommand]) {
        #expect(Self.commands(text) == commands)
    }

    @Test(
        "nothing else is one, and none is lost behind it",
        arguments: [
            "x", "\u{1B}", "\u{1B}x", "\u{1B}[3~", "\u{1B}[200~", "\u{1B}[" + String(repeating: "9", count: 99) + "~",
            "é",
        ])
    func others(text: String) {
        #expect(Self.commands(text + "\u{1B}[Aq").last == .quit)
        #expect(!Self.commands(text).contains(.quit))
    }
}
