#if Service
package import EventLoop
import FoundationEssentials
package import RequestCore
import SystemPackage

/// `netwatch get`: fetches one address to standard output or into a file.
package struct GetProgram: Sendable {
    private let request: Request
    private let output: String?
    private let resumes: Bool
    private let isVerbose: Bool
    private let style = Style(environment: Environment.values("NO_COLOR", "TERM", "LC_ALL", "LC_CTYPE", "LANG"))

    /// - Parameters:
    ///   - output: The file to write; nil for standard output.
    ///   - resumes: Whether an earlier try that has failed is continued.
    ///   - isVerbose: Whether the phases are shown on standard error at the end.
    package init(_ request: Request, output: String?, resumes: Bool, isVerbose: Bool) {
        self.request = request
        self.output = output
        self.resumes = resumes
        self.isVerbose = isVerbose
    }

    package func run(on loop: EventLoop) async throws -> ExitStatus {
        let session = try Session(loop: loop)
        do throws(RequestError) {
            let (status, metrics) =
                if let output { try await download(session, output) } else { try await stream(session, loop) }
            show(metrics)
            guard !(200..<300).contains(status) else { return .success }
            StandardStreams.tell("\(request.url.absoluteString): the server answered \(status)")
            return .requestFailed
        } catch {
            guard case .outputError(let cause) = Failure(error) else {
                show(error.metrics)
                StandardStreams.tell("\(request.url.absoluteString): \(error)")
                return .requestFailed
            }
            throw cause
        }
    }

    // MARK: Standard output

    private func stream(_ session: Session, _ loop: EventLoop) async throws(RequestError) -> (Int, RequestMetrics?) {
        let stream = try await session.stream(request)
        do {
            let output = try LineOutput(.standardOutput, name: "standard output", loop: loop)
            for try await chunk in stream.body { try await output.write(Array(chunk)) }
        } catch let error as RequestError {
            throw error
        } catch {
            throw RequestError(.cancelled, underlying: error)
        }
        return (stream.head.statusCode, stream.metrics)
    }

    private enum Failure {
        case outputError(OutputError)
        case request

        init(_ error: RequestError) {
            self = (error.underlying as? OutputError).map(Failure.outputError) ?? .request
        }
    }

    // MARK: A file

    private func download(_ session: Session, _ path: String) async throws(RequestError) -> (Int, RequestMetrics?) {
        var download = Download(request, to: FilePath(path))
        download.replacesFile = true
        download.keepsPartialFile = true
        let memory = ResumeFile(output: path)
        if resumes { download.resumeData = memory.load(for: request.url) }
        let task = session.downloadTask(download)
        let drawing = StandardStreams.isErrorTerminal ? Task { await draw(task.downloadProgress) } : nil
        task.resume()
        do throws(RequestError) {
            let response = try await task.value.response
            await drawing?.value
            memory.forget()
            return (response.statusCode, response.metrics)
        } catch {
            await drawing?.value
            memory.save(error.resumeData)
            throw error
        }
    }

    private func draw(_ progress: AsyncStream<TransferProgress>) async {
        let width = Terminal(output: 2).size.width
        for await state in progress {
            StandardStreams.write("\r\(ProgressBar.text(state, width: width, style: style))\u{1B}[K")
        }
        StandardStreams.write("\r\u{1B}[K")
    }

    private func show(_ metrics: RequestMetrics?) {
        guard isVerbose, let metrics else { return }
        let width = StandardStreams.isErrorTerminal ? Terminal(output: 2).size.width : 80
        let facts = [
            metrics.httpVersion.map { "HTTP/\($0.rawValue)" }, metrics.remoteAddress.map { "from \($0)" },
            metrics.tlsVersion, metrics.tlsCipher, "\(metrics.bytesReceived) bytes",
        ]
        let lines = [facts.compactMap { $0 }.joined(separator: style.separator)]
        for line in lines + Waterfall.lines(metrics, width: width, style: style) { StandardStreams.write(line + "\n") }
    }
}
#endif
