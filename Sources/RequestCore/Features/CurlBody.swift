import FoundationEssentials

/// How curl(1) is given the body of a request.
struct CurlBody {
    let options: [String]
    /// A command that writes the body to standard output; nil where curl has it otherwise.
    let input: String?

    /// The longest body of bytes that is written out.
    private static let longest = 16 << 10

    init(_ request: Request) {
        switch request.body {
        case nil: self.init(options: [])
        case .data(let data): self.init(data)
        case .file(let path): self.init(options: ["--data-binary", "@\(path)"])
        case .multipart, .stream: self.init(options: ["--data-binary", "@-"], input: "cat body")
        }
    }

    private init(options: [String], input: String? = nil) {
        self.options = options
        self.input = input
    }

    /// Text stands in the command. Other bytes are written by printf(1), since no word of a shell can hold a NUL.
    private init(_ data: Data) {
        if let text = String(validating: data, as: UTF8.self), !text.contains("\0") {
            self.init(options: ["--data-raw", text])
        } else if data.count <= Self.longest {
            let format = ShellQuoting.printfFormat(data)
            self.init(options: ["--data-binary", "@-"], input: "printf \(ShellQuoting.quote(format))")
        } else {
            self.init(options: ["--data-binary", "@-"], input: "cat body")
        }
    }
}
