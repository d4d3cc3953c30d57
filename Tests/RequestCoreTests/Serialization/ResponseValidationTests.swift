import FoundationEssentials
import RequestCore
import Testing

@Suite("Which answers are acceptable")
struct ResponseValidationTests {
    private let json = ResponseValidation(contentTypes: [.json])

    @Test("every status from 200 to 299, and no other", arguments: [100, 199, 200, 204, 299, 300, 404, 500, 599, 999])
    func status(code: Int) throws {
        let verdict = ResponseValidation().check(try Response(text: "x", status: code))
        #expect((verdict.error?.status == code) == !(200..<300).contains(code))
    }

    @Test(
        "a type is matched without its parameters and in any case",
        arguments: [
            ("application/json", true), ("Application/JSON", true), ("application/json ; charset=utf-8", true),
            ("application/json;charset=\"x\"", true), ("text/html", false), ("application/jsonp", false),
            ("json", false),
            ("", false), ("application/json garbage", false),
        ])
    func type(type: String, isAccepted: Bool) throws {
        let verdict = json.check(try Response(text: "{}", type: type))
        #expect(verdict.isTypeAcceptable == isAccepted)
        #expect((verdict.error == nil) == isAccepted)
    }

    @Test("types may be patterns")
    func patterns() throws {
        let validation = ResponseValidation(contentTypes: [MediaType("image", "*"), MediaType("application", "*+json")])
        #expect(validation.check(try Response(text: "x", type: "image/png")).isTypeAcceptable)
        #expect(validation.check(try Response(text: "x", type: "application/problem+json")).isTypeAcceptable)
        #expect(!validation.check(try Response(text: "x", type: "application/json")).isTypeAcceptable)
    }

    @Test("no type is right where there is no body, and where any type is accepted")
    func noType() throws {
        #expect(json.check(try Response(text: "")).isTypeAcceptable)
        #expect(json.check(try Response(text: "")).error == nil)
        #expect(json.check(try Response(text: "{}")).error?.refusesContentType == true)
        #expect(ResponseValidation(contentTypes: [.any]).check(try Response(text: "{}")).isTypeAcceptable)
        #expect(ResponseValidation().check(try Response(text: "{}")).isTypeAcceptable)
    }

    @Test("a wrong type without a body is no error, and yet not read")
    func wrongTypeWithoutBody() throws {
        let verdict = json.check(try Response(text: "", type: "text/html"))
        #expect(!verdict.isTypeAcceptable)
        #expect(verdict.error == nil)
    }

    @Test("where both are wrong the status comes first and carries the type")
    func both() throws {
        let error = try #require(json.check(try Response(text: "<p>", type: "text/html", status: 500)).error)
        #expect(error.status == 500)
        #expect((error.underlying as? ResponseSerializationError)?.refusedType == "text/html")
        #expect(error.refusesContentType)
        #expect(error.data == Data("<p>".utf8))
        #expect(error.response.statusCode == 500)
    }

    @Test("an error tells what was found, what is accepted and what to do")
    func descriptions() throws {
        let status = try #require(json.check(try Response(text: "{}", type: "application/json", status: 404)).error)
        #expect(status.description == "http://example.com/path answered 404 Not Found, which is not an accepted status")
        let type = try #require(json.check(try Response(text: "x", type: "text/html")).error)
        #expect(type.description.contains("text/html"))
        #expect(type.description.contains("application/json: add it to the validation's contentTypes"))
        let strange = try #require(json.check(try Response(text: "x", status: 999)).error)
        #expect(strange.description.contains("answered 999,"))
    }

    @Test("the body of a refusal decodes as the type of the server's errors")
    func errorBody() throws {
        struct Problem: Decodable, Equatable { let title: String }
        let response = try Response(text: #"{"title":"no"}"#, type: "application/json", status: 422)
        let error = try #require(json.check(response).error)
        #expect(try error.decodeBody(as: Problem.self) == Problem(title: "no"))
    }
}
