import FoundationEssentials
import RequestCore
import Testing

@Suite("Encodable values as parameters")
struct ParameterEncoderTests {
    private struct Search: Encodable {
        var text = "a b"
        var page = 2
        var tags = ["x", "y"]
        var isExact = true
        var missing: String?
        var ratio: Float = 0.1
        var nested = Nested()

        struct Nested: Encodable {
            var userID: UInt64 = .max
            var values: [String: Int?] = ["b_B": 1, "a": nil]
        }
    }

    @Test("properties come in their order, an absent one not at all")
    func structure() throws {
        let expected: Parameters = [
            "text": "a b", "page": 2, "tags": ["x", "y"], "isExact": true, "ratio": 0.1,
            "nested": ["userID": .unsigned(.max), "values": ["a": nil, "b_B": 1]],
        ]
        #expect(try ParameterEncoder().parameters(Search()) == expected)
    }

    @Test("the query of a value is that of the same parameters")
    func query() throws {
        let query = QueryEncoding().query(try ParameterEncoder().parameters(Search()))
        let nested = "nested%5BuserID%5D=18446744073709551615&nested%5Bvalues%5D%5Ba%5D&nested%5Bvalues%5D%5Bb_B%5D=1"
        #expect(query == "isExact=1&\(nested)&page=2&ratio=0.1&tags%5B%5D=x&tags%5B%5D=y&text=a%20b")
    }

    @Test("keys of properties are renamed, those of dictionaries not")
    func keys() throws {
        struct Names: Encodable {
            var userName = 1
            var myURLProperty = 2
            var already_done = 3
            var map = ["aB": 1]
        }
        var encoder = ParameterEncoder()
        encoder.keys = .snakeCase
        let expected: Parameters = ["user_name": 1, "my_url_property": 2, "already_done": 3, "map": ["aB": 1]]
        #expect(try encoder.parameters(Names()) == expected)
        encoder.keys = .kebabCase
        #expect(try encoder.parameters(Names()).names == ["user-name", "my-url-property", "already_done", "map"])
        encoder.keys = .custom { $0.uppercased() }
        #expect(try encoder.parameters(Names()).names.first == "USERNAME")
    }

    @Test("dates and data have styles")
    func datesAndData() throws {
        let date = Date(timeIntervalSince1970: 86_400.5)
        var encoder = ParameterEncoder()
        #expect(try encoder.parameter([date]) == [.number(86_400.5 - 978_307_200)])
        encoder.dates = .seconds
        #expect(try encoder.parameter([date]) == [86400.5])
        encoder.dates = .milliseconds
        #expect(try encoder.parameter([date]) == [.number(86_400_500)])
        encoder.dates = .iso8601
        #expect(try encoder.parameter([date]) == ["1970-01-02T00:00:00Z"])
        encoder.dates = .custom { _ in "never" }
        #expect(try encoder.parameter([date]) == ["never"])

        let data = Data([1, 255])
        #expect(try encoder.parameter([data]) == ["Af8="])
        encoder.data = .data
        #expect(try encoder.parameter([data]) == [.data(data)])
        encoder.data = .deferred
        #expect(try encoder.parameter([data]) == [[1, 255]])
    }

    @Test(
        "a decimal number is a number where that loses nothing, and has its digits in a query always",
        arguments: [
            ("12", 12), ("-7", -7), ("0", 0), ("18446744073709551615", .unsigned(.max)), ("19.99", 19.99),
            ("-0.1", .number(-0.1)), ("0.12345678901234567890123", "0.12345678901234567890123"),
            ("100000000000000000000", "100000000000000000000"), ("0.00001", "0.00001"),
        ] as [(String, Parameter)])
    func decimals(digits: String, expected: Parameter) throws {
        let parameter = try ParameterEncoder().parameter(try #require(Decimal(string: digits)))
        #expect(parameter == expected)
        #expect(QueryEncoding().query(["k": parameter]) == "k=\(digits)")
    }

    @Test("a value without keys is no set of parameters")
    func noKeys() {
        #expect(throws: RequestSerializationError.self) { try ParameterEncoder().parameters([1, 2]) }
        #expect(throws: RequestSerializationError.self) { try ParameterEncoder().parameters("text") }
    }

    @Test("an error of the value comes through")
    func failing() {
        struct Refusing: Encodable {
            func encode(to encoder: any Encoder) throws {
                throw EncodingError.invalidValue(1, .init(codingPath: [], debugDescription: "no"))
            }
        }
        #expect(throws: RequestSerializationError.self) { try ParameterEncoder().parameters(["a": Refusing()]) }
    }

    @Test("containers nested by hand, enumerations and super encoders are kept")
    func byHand() throws {
        struct ByHand: Encodable {
            enum Key: String, CodingKey { case list, map, base }
            enum Kind: String, Encodable { case fast }

            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Key.self)
                var list = container.nestedUnkeyedContainer(forKey: .list)
                try list.encode(Kind.fast)
                try list.encodeNil()
                var inner = list.nestedContainer(keyedBy: Key.self)
                try inner.encode(1, forKey: .map)
                var map = container.nestedContainer(keyedBy: Key.self, forKey: .map)
                try map.encodeNil(forKey: .base)
                try 7.encode(to: container.superEncoder(forKey: .base))
            }
        }
        let expected: Parameters = ["list": ["fast", nil, ["map": 1]], "map": ["base": nil], "base": 7]
        #expect(try ParameterEncoder().parameters(ByHand()) == expected)
    }

    @Test("a hundred thousand members take a moment, not a minute")
    func large() throws {
        let clock = ContinuousClock()
        let time = try clock.measure { _ = try ParameterEncoder().parameter(Array(0..<100_000)) }
        #expect(time < .seconds(20))
    }
}
