import Connectivity
import Foundation
import NetwatchService
import NetworkAddress
import Reachability
import SystemPackage
import TestSupport
import Testing

@testable import Netwatch

@Suite("The JSON Schema of the configuration document")
struct ConfigurationSchemaTests {
    private static let path = Netwatch.file("packaging/netwatch-configuration.schema.json")

    private static func node(_ place: String) throws -> Any {
        var node = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: path)))
        for key in place.split(separator: "/") {
            node = try #require((node as? [String: Any])?[String(key)], "\(place)")
        }
        return node
    }

    @Test(
        "knows every key, and no other",
        arguments: [
            ("properties", SettingsDocument.CodingKeys.allCases.map(\.stringValue) + ["service"]),
            ("$defs/target/properties", TargetDocument.CodingKeys.allCases.map(\.stringValue)),
            ("properties/damping/properties", DampingDocument.CodingKeys.allCases.map(\.stringValue)),
            ("properties/service/properties", ServiceDocument.Keys.allCases.map(\.stringValue)),
            ("$defs/history/properties", HistorySettingsDocument.Keys.allCases.map(\.stringValue)),
            ("$defs/push/properties", PushDocument.Keys.allCases.map(\.stringValue)),
            ("$defs/hook/properties", HookDocument.Keys.allCases.map(\.stringValue)),
            ("$defs/webhook/properties", WebhookDocument.Keys.allCases.map(\.stringValue)),
            ("properties/service/properties/mqtt/properties", MQTTDocument.Keys.allCases.map(\.stringValue)),
            ("$defs/target/properties/json/properties", JSONMatchDocument.CodingKeys.allCases.map(\.stringValue)),
            ("$defs/target/properties/header/properties", HeaderDocument.CodingKeys.allCases.map(\.stringValue)),
        ])
    func keys(place: String, keys: [String]) throws {
        let known = try #require(try Self.node(place) as? [String: Any])
        #expect(Set(known.keys) == Set(keys))
    }

    @Test(
        "knows every word",
        arguments: [
            ("role", Target.Role.allCases.map(\.rawValue)), ("medium", Medium.allCases.map(\.rawValue)),
            ("family", AddressFamily.allCases.map(\.rawValue)), ("expect", Expectation.Kind.allCases.map(\.rawValue)),
        ])
    func words(key: String, words: [String]) throws {
        let known = try #require(try Self.node("$defs/target/properties/\(key)/enum") as? [Any])
        #expect(Set(known.compactMap { $0 as? String }) == Set(words))
    }

    @Test(
        "says of a document what the decoder says",
        arguments: [
            (#"{}"#, true), (#"{"interval": 30, "timeout": "500ms", "probes": false}"#, true),
            (#"{"policy": "any"}"#, true), (#"{"policy": {"quorum": 0}}"#, false), (#"{"policy": "most"}"#, false),
            (#"{"interval": "soon"}"#, false), (#"{"interval": 0}"#, false), (#"{"interval": true}"#, false),
            (#"{"intervall": 1}"#, false), (#"{"rise": 1.5}"#, false), (#"{"rise": 0}"#, false),
            (#"{"jitter": 2}"#, false), (#"{"targets": {}}"#, false), (#"{"targets": [{}]}"#, false),
            (#"{"targets": [{"url": "http://a/", "expect": "204", "labels": {"a": "b"}}]}"#, true),
            (#"{"targets": [{"url": "http://a/", "family": "ipv5"}]}"#, false),
            (#"{"targets": [{"url": "http://a/", "json": {"equals": 1}}]}"#, false),
            (#"{"targets": [{"url": "http://a/", "json": {"pointer": "/a", "equals": null}}]}"#, true),
            (#"{"targets": [{"url": "http://a/", "redirects": 21}]}"#, false),
            (#"{"damping": {"penalty": 1, "halfLife": "60s"}}"#, true), (#"{"damping": {"x": 1}}"#, false),
            (#"{"traffic": true}"#, true), (#"{"traffic": {"interval": 0.5}}"#, true), (#"{"traffic": 1}"#, false),
            (#"{"metered": ["a"]}"#, true), (#"{"metered": "a"}"#, false),
            (#"{"service": {"listen": "127.0.0.1:1", "hosts": ["a"], "openToAll": false}}"#, true),
            (#"{"service": {"listen": ["127.0.0.1:1", "[::1]:1"], "maximumReaders": 3}}"#, true),
            (#"{"service": {"maximumReaders": 0}}"#, false), (#"{"service": {"openToAll": "no"}}"#, false),
            (#"{"service": []}"#, false), (#"{"service": {"socket": "/run/a.sock"}}"#, true),
            (#"{"service": {"socket": ""}}"#, false),
            (#"{"service": {"modules": {"a": {"url": "http://{target}/b", "timeout": 1}}}}"#, true),
            (#"{"service": {"modules": {"a": {"timeout": 1}}}}"#, false),
            (#"{"service": {"modules": []}}"#, false), (#"{"service": {"targetHistograms": true}}"#, true),
            (#"{"service": {"targetHistograms": 1}}"#, false),
            (#"{"service": {"history": false}}"#, true),
            (#"{"service": {"history": {"path": "/a", "days": 3, "megabytes": 5}}}"#, true),
            (#"{"service": {"history": {"days": 0}}}"#, false), (#"{"service": {"history": "yes"}}"#, false),
            (#"{"service": {"history": {"day": 1}}}"#, false),
            (#"{"service": {"name": "router-7", "labels": {"site": "Bern"}}}"#, true),
            (#"{"service": {"name": "router.7"}}"#, false), (#"{"service": {"labels": {"a-b": "c"}}}"#, false),
            (#"{"service": {"mqtt": {"brokers": "mqtts://b.example"}}}"#, true), (#"{"service": {"mqtt": {}}}"#, false),
            (#"{"service": {"mqtt": {"brokers": ["mqtt://b:1"], "version": "5", "prefix": "a/b"}}}"#, true),
            (#"{"service": {"mqtt": {"brokers": ["mqtt://b:1"], "version": "4"}}}"#, false),
            (#"{"service": {"mqtt": {"brokers": ["mqtt://b:1"], "prefix": "a/#"}}}"#, false),
            (#"{"service": {"mqtt": {"brokers": []}}}"#, false),
            (#"{"service": {"push": {"url": "http://c:4318", "format": "otlp"}}}"#, true),
            (#"{"service": {"push": [{"url": "https://v/x?a=b", "format": "prometheus", "interval": "5s"}]}}"#, true),
            (#"{"service": {"push": {"url": "http://c:4318"}}}"#, false),
            (#"{"service": {"push": [{"url": "http://me:x@c", "format": "otlp"}]}}"#, false),
            (#"{"service": {"push": [{"url": "c:4318", "format": "otlp"}]}}"#, false),
            (#"{"service": {"hooks": [{"command": ["/bin/a", "b"], "kinds": ["target"], "timeout": "5s"}]}}"#, true),
            (#"{"service": {"hooks": [{"command": ["a"]}]}}"#, false), (#"{"service": {"hooks": [{}]}}"#, false),
            (#"{"service": {"hooks": [{"command": []}]}}"#, false), (#"{"service": {"hooks": []}}"#, true),
            (#"{"service": {"hooks": [{"command": ["/bin/a"], "kinds": ["result"]}]}}"#, false),
            (#"{"service": {"webhooks": [{"url": "https://a/b", "headers": {"X-A": "b"}}]}}"#, true),
            (#"{"service": {"webhooks": [{"url": "https://a/b", "format": "alertmanager", "timeout": 3}]}}"#, true),
            (#"{"service": {"webhooks": [{"url": "https://a/b", "headers": {"authorization": "b"}}]}}"#, false),
            (#"{"service": {"webhooks": [{"url": "https://a/b", "user": "me"}]}}"#, false),
            (#"{"service": {"webhooks": [{"url": "https://me:x@a/b"}]}}"#, false),
            (#"{"service": {"webhooks": [{"url": "https://a/b", "format": "xml"}]}}"#, false),
            (#"{"service": {"webhooks": {"url": "https://a/b"}}}"#, false),
        ])
    func verdict(json: String, isGood: Bool) throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(json.utf8, to: "a.json").string
        let isDecoded = (try? ConfigurationSource(path: path, variables: [:]).load()) != nil
        #expect(isDecoded == isGood)
        let isValid = (try? Netwatch.validate([json], by: Self.path)) ?? false
        #expect(isValid == isGood)
    }
}
