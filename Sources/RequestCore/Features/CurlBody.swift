import FoundationEssentials
import RequestEngine

/// How curl(1) is given the body of a request.
struct CurlBody {
    let options: [String]
    /// A command that writes the body, or the one part of it, to standard output; nil where curl has it otherwise.
    let input: String?
    /// The fields that curl sets itself, and that must be left to it.
    let fields: Set<String>
    /// What must be said so that curl adds no field of its own.
    let suppressed: [String]

    /// The longest body of bytes that is written out.
    private static let longest = 16 << 10

    init(_ request: Request) {
        // curl puts a file's name after a URL that ends in a slash.
        let namesResource = !["", "/"].contains(request.url.path().suffix(1))
        switch request.body {
        case nil: self.init([])
        case .data(let data): self.init(data)
        case .multipart(let form): self.init(form)
        case .file(let path) where namesResource: self.init(upload: path)
        case .file(let path): self.init(data: "@\(path)")
        case .stream(nil, _) where namesResource, .pieces(nil, _) where namesResource:
            self.init(upload: "-", input: "cat body")
        case .stream, .pieces: self.init(data: "@-", input: "cat body")
        }
    }

    private init(
        _ options: [String], input: String? = nil, fields: Set<String> = ["content-length"], suppressed: [String] = []
    ) {
        self.options = options
        self.input = input
        self.fields = fields
        self.suppressed = suppressed
    }

    /// A body that curl reads into memory, and gives the type of a form unless it is told not to.
    private init(data: String, option: String = "--data-binary", input: String? = nil) {
        self.init([option, data], input: input, suppressed: ["Content-Type"])
    }

    /// A body that curl reads as it sends it.
    private init(upload file: String, input: String? = nil) {
        self.init(["--upload-file", file], input: input, suppressed: ["Expect"])
    }

    /// Text stands in the command. Other bytes are written by printf(1), since no word of a shell can hold a NUL.
    private init(_ data: Data) {
        if let text = String(validating: data, as: UTF8.self), !text.contains("\0") {
            self.init(data: text, option: "--data-raw")
        } else if data.count <= Self.longest {
            self.init(data: "@-", input: "printf \(ShellQuoting.quote(ShellQuoting.printfFormat(data)))")
        } else {
            self.init(data: "@-", input: "cat body")
        }
    }

    private init(_ form: MultipartFormData) {
        guard let options = CurlForm.options(form) else {
            self.init(data: "@-", input: "cat body")
            return
        }
        self.init(
            options, input: CurlForm.readsInput(form) ? "cat part" : nil,
            fields: ["content-length", "content-type"], suppressed: ["Expect"])
    }
}
