import Connectivity
import SystemPackage
import TestSupport
import Testing

@testable import NetwatchService

@Suite("The configuration of hooks and webhooks")
struct TellingConfigurationTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func load(_ yaml: String, credentials: String? = nil) throws -> LoadedConfiguration {
        let file = try folder.write(yaml.utf8, to: "netwatch.yaml").string
        return try ConfigurationSource(path: file, variables: [:], credentials: credentials).load()
    }

    @Test("is read whole, and no secret of it is shown")
    func listing() throws {
        let token = try folder.write("geheim\n".utf8, to: "token").string
        let loaded = try load(
            """
            targets: [{name: shop, url: 'http://shop.example/'}]
            service:
              hooks:
                - command: [/bin/sh, -c, "exit 0"]
                  kinds: [transition, target]
                  targets: [shop]
                  timeout: 3s
              webhooks:
                - url: https://hooks.example:8443/services/geheim?key=geheim
                  headers: {X-Key: geheim}
                  tokenFile: \(token)
                  secretFile: \(token)
                - url: http://alerts.example
                  format: alertmanager
              push: {url: 'https://metrics.example/geheim/write?key=geheim', format: prometheus}
            """)
        let hook = try #require(loaded.service.hooks.first)
        #expect(hook.command == ["/bin/sh", "-c", "exit 0"] && hook.filter.kinds == [.transition, .target])
        #expect(hook.filter.targets == ["shop"] && hook.timeout == .seconds(3))
        let text = loaded.listing.joined(separator: "\n")
        #expect(!text.contains("geheim"), "\(text)")
        for line in [
            "service.hooks[0].kinds: [target, transition]",
            "service.webhooks[0].url: https://hooks.example:8443/(hidden)",
            "service.push[0].url: https://metrics.example/(hidden)", "service.webhooks[0].headers: {X-Key: (hidden)}",
            "service.webhooks[1].format: alertmanager",
        ] {
            #expect(text.contains(line), "\(line) is not in \(text)")
        }
        #expect(loaded.warnings.isEmpty)
    }

    @Test(
        "a mistake is told with its place",
        arguments: [
            ("hooks: [{command: notify}]", "service.hooks[0].command"),
            ("hooks: [{command: [notify]}]", "service.hooks[0].command"),
            ("hooks: [{}]", "service.hooks[0].command"), ("hooks: {command: [/bin/a]}", "service.hooks"),
            ("hooks: [{command: [/bin/a], kinds: [result]}]", "service.hooks[0].kinds[0]"),
            ("hooks: [{command: [/bin/a], timeout: 0}]", "service.hooks[0].timeout"),
            ("hooks: [{command: [/bin/a], shell: true}]", "service.hooks[0].shell"),
            ("webhooks: [{url: ftp://a}]", "service.webhooks[0].url"),
            ("webhooks: [{url: 'http://a:99999/'}]", "service.webhooks[0].url"),
            ("push: {url: 'http://a:0/', format: otlp}", "service.push.url"),
            ("webhooks: [{url: 'http://me:geheim@a/'}]", "service.webhooks[0].url"),
            ("webhooks: [{url: 'http://a/'}, {url: 'http://a/'}]", "service.webhooks[1].url"),
            (
                "webhooks: [{url: 'http://a/', headers: {Authorization: geheim}}]",
                "service.webhooks[0].headers.Authorization"
            ),
            ("webhooks: [{url: 'http://a/', headers: {'a b': c}}]", "service.webhooks[0].headers.a b"),
            (
                "webhooks: [{url: 'http://a/', headers: {Content-Length: '3'}}]",
                "service.webhooks[0].headers.Content-Length"
            ),
            (
                "webhooks: [{url: 'http://a/', headers: {idempotency-key: a}}]",
                "service.webhooks[0].headers.idempotency-key"
            ),
            ("webhooks: [{url: 'http://a/', user: me}]", "service.webhooks[0].user"),
            ("webhooks: [{url: 'http://a/', tokenFile: /nowhere/token}]", "service.webhooks[0].tokenFile"),
            ("webhooks: [{url: 'http://a/', format: slack}]", "service.webhooks[0].format"),
            ("webhooks: [{url: 'http://a/', format: alertmanager, kinds: [target]}]", "service.webhooks[0].kinds"),
        ])
    func mistakes(section: String, key: String) throws {
        do {
            _ = try load("service:\n  \(section)\n")
            Issue.record("\(section) was taken")
        } catch {
            #expect("\(error)".contains("netwatch.yaml:2:") && "\(error)".contains(key), "\(error)")
            #expect(!"\(error)".contains("geheim"))
        }
    }

    @Test(
        "a password or a key that cannot be used is a mistake with its place: it is found before anything is sent",
        arguments: [("passwordFile", "user: me, ", "password"), ("secretFile", "", "signature key")])
    func secrets(key: String, before: String, purpose: String) throws {
        let path = try folder.write("One of many words: schön\r\n".utf8, to: "secret").string
        let section = "service:\n  webhooks: [{url: 'http://a/', \(before)\(key): \(path)}]\n"
        _ = try load(section)
        for content in ["", "\n", "\r\ngeheim\n", "geheim\0\n", String(repeating: "geheim", count: 9999)] {
            _ = try folder.write(content.utf8, to: "secret")
            let error = try #require(throws: (any Error).self) { try load(section) }
            for words in ["netwatch.yaml:2:", "service.webhooks[0].\(key)", "the \(purpose) file \(path) "] {
                #expect("\(error)".contains(words), "\(error)")
            }
            #expect(!"\(error)".contains("geheim"))
        }
    }

    @Test("a target that nobody watches is a warning: whoever waits for its events would wait in vain")
    func strangers() throws {
        let loaded = try load(
            """
            targets: [{name: shop, url: 'http://shop.example/'}]
            service:
              hooks: [{command: [/bin/sh], targets: [shop, shpo]}]
              webhooks: [{url: 'http://a/', targets: [mail]}]
            """)
        #expect(
            loaded.warnings == [
                "service.hooks[0].targets: no target is called shpo",
                "service.webhooks[0].targets: no target is called mail",
            ])
    }

    @Test("a name without a slash is a credential of systemd's, and a hook that cannot be run is a warning")
    func credentials() throws {
        _ = try folder.write("geheim\n".utf8, to: "hook-token")
        let section =
            "service:\n  webhooks: [{url: 'http://a/', tokenFile: hook-token}]\n  hooks: [{command: [/nowhere/a]}]\n"
        let loaded = try load(section, credentials: folder.path.string)
        #expect(loaded.service.webhooks.first?.tokenFile == folder.path.appending("hook-token").string)
        #expect(
            loaded.warnings.count == 1
                && loaded.warnings.first?.contains("service.hooks[0].command: /nowhere/a") == true)
    }
}
