import Foundation
import Testing

@testable import Netwatch

@Suite("The reference of the configuration document")
struct ConfigurationReferenceTests {
    @Test("names every key, and its example can be read")
    func keys() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Documentation/Configuration.md")
        let text = try String(contentsOf: file, encoding: .utf8)
        let keys =
            SettingsDocument.CodingKeys.allCases.map(\.stringValue)
            + TargetDocument.CodingKeys.allCases.map(\.stringValue)
            + DampingDocument.CodingKeys.allCases.map(\.stringValue)
        #expect(keys.filter { !text.contains("`\($0)`") } == [])
        let example = try #require(text.firstMatch(of: /```json\n([^`]*)```/)?.1)
        #expect(try ConfigurationDocument(json: String(example)).configuration().targets.count == 3)
    }
}
