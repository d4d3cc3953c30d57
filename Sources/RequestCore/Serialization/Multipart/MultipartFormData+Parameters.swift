import FoundationEssentials
public import RequestEngine

extension MultipartFormData {
    /// The parameters as fields of a form, named as in a query: data as it is, a null as an empty field.
    public mutating func append(
        _ parameters: Parameters, encoding: QueryEncoding = QueryEncoding()
    ) throws(MultipartError) {
        for pair in encoding.pairs(parameters) {
            try append(Self.data(of: pair.value, encoding), name: pair.name)
        }
    }

    private static func data(of value: Parameter, _ encoding: QueryEncoding) -> Data {
        if case .data(let data) = value { data } else { Data((encoding.text(of: value) ?? "").utf8) }
    }
}

extension HTTPRequestSerializer {
    /// A request with parameters, and with the parts that the closure adds after them, as a multipart body.
    ///
    /// Where there are no parts at all the request has an empty form for a body.
    public func multipart(
        _ request: Request, parameters: Parameters? = nil,
        _ build: (inout MultipartFormData) throws -> Void
    ) throws(RequestSerializationError) -> Request {
        guard !Self.bodyless.contains(request.method.rawValue.uppercased()) else {
            throw .bodyNotAllowed(request.method)
        }
        do {
            var form = MultipartFormData()
            try form.append(parameters ?? [:], encoding: standardEncoding)
            try build(&form)
            return try form.isEmpty ? emptyForm(request) : prepare(request).carrying(form)
        } catch let error as MultipartError {
            throw .multipart(error)
        } catch {
            throw .form(error)
        }
    }

    private static let bodyless: Set = ["GET", "HEAD"]

    private var standardEncoding: QueryEncoding {
        if case .standard(let encoding) = query { encoding } else { QueryEncoding() }
    }
}
