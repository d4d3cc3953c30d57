import Foundation
import Netwatch
import Synchronization
import Testing

/// The examples of Netwatch's documentation are the code in this file, so that one that does not compile stops the build.
@Suite("The documentation's examples")
struct DocumentationTests {
    private static let package = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    @Test(
        "are code that is built",
        arguments: ["Netwatch", "ThreadsAndDelivery", "TargetsOfYourOwn", "ComingFromElsewhere"])
    func areBuilt(article: String) throws {
        let code = Self.lines(try String(contentsOf: URL(filePath: #filePath), encoding: .utf8)[...])
        let examples = try Self.examples(of: article, in: "swift")
        #expect(!examples.isEmpty)
        for example in examples {
            #expect(code.contains(Self.lines(example)), "\(article): \(example)")
        }
    }

    @Test("say the same in code and as a document")
    func sameConfiguration() throws {
        let text = try #require(try Self.examples(of: "TargetsOfYourOwn", in: "json").first)
        #expect(try configurationOfDocument(String(text)) == configurationInCode())
    }

    /// The fragments of an article in one language.
    private static func examples(of article: String, in language: String) throws -> [Substring] {
        let file = package.appending(path: "Sources/Netwatch/Netwatch.docc/\(article).md")
        return try String(contentsOf: file, encoding: .utf8).split(separator: "```").filter {
            $0.hasPrefix("\(language)\n")
        }
        .map { $0.dropFirst(language.count + 1) }
    }

    /// The text without what is before and after each line.
    private static func lines(_ text: Substring) -> String {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: "\n")
    }
}

private func landing() async throws {
    let monitor = ConnectivityMonitor()
    try await monitor.start()
    for await event in monitor.events {
        print("\(event.reachability) \(event.connectivity): \(event.cause.description)")
    }
}

private func sharedLoop() throws {
    let loop = try MonitorLoop()
    let path = PathMonitor(loop: loop)
    let connectivity = ConnectivityMonitor(loop: loop)
    _ = (path, connectivity)
}

private final class Counter: Sendable {
    private let count = Mutex<UInt64>(0)

    func add(_ more: UInt64) { count.withLock { $0 += more } }
}

private func callbacks(of monitor: ConnectivityMonitor) {
    let counter = Counter()
    let onLoop = monitor.onEvent { event in counter.add(event.skipped + 1) }
    let onQueue = monitor.onEvent(on: .custom { work in DispatchQueue.main.async(execute: work) }) { event in
        print(event)
    }
    onLoop.cancel()
    onQueue.cancel()
}

private func waiting(for monitor: ConnectivityMonitor) async {
    guard let event = await monitor.wait(for: .connectivity(.full), timeout: .seconds(30)) else {
        print("not yet: \(monitor.current)")
        return
    }
    print("after \(event.seq) events: \(event)")
}

private func configurationInCode() throws -> ConnectivityConfiguration {
    var shop = try Target("https://shop.example/health", name: "shop")
    shop.expectation.body = .json(JSONMatch(pointer: "/status", value: "\"up\""))
    shop.retries = 2
    var mail = try Target("tls://mail.example:993", name: "mail")
    mail.expectation.certificateDays = 14
    mail.interval = .seconds(300)
    var configuration = ConnectivityConfiguration(targets: [shop, mail])
    configuration.interval = .seconds(30)
    configuration.perInterface = true
    return configuration
}

private func configurationOfDocument(_ text: String) throws -> ConnectivityConfiguration {
    let configuration = try ConfigurationDocument(json: text).configuration()
    return configuration
}

private func reconfigure(_ monitor: ConnectivityMonitor, _ configuration: ConnectivityConfiguration) async throws {
    try await monitor.configure(configuration)
    await monitor.check()
}

private func path() async throws {
    let monitor = try PathMonitor()
    print(try await monitor.start().status)
    for await update in monitor.updates where update.isTransition {
        print("\(update.previous.status) → \(update.path.status)")
    }
}

private func manager() throws {
    let manager = NetworkReachabilityManager.shared
    let subscription = manager.onStatus(deliver: { work in DispatchQueue.main.async(execute: work) }) { status in
        print(status.text)
    }
    try manager.startMonitoring()
    subscription.cancel()
}
