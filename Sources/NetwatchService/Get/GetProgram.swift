package import EventLoop
import FoundationEssentials
import Glibc
package import RequestCore
import SystemPackage

/// `netwatch get`: fetches one address to standard output or into a file, by way of its redirects.
package struct GetProgram: Sendable {
    /// The signals that end it early: to be blocked before any thread is started.
    package static var signals: [CInt] { SignalSource.ends }

    private let request: Request
    private let output: String?
    private let resumes: Bool
    private let isVerbose: Bool
    private let style = Style(environment: Environment.values("NO_COLOR", "TERM", "LC_ALL", "LC_CTYPE", "LANG"))
    private let report = GetReport()

    /// - Parameters:
    ///   - output: The file to write; nil for standard output.
    ///   - resumes: Whether an earlier try that has failed is continued.
    ///   - isVerbose: Whether each hop with its phases is shown on standard error at the end.
    package init(_ request: Request, output: String?, resumes: Bool, isVerbose: Bool) {
        self.request = request
        self.output = output
        self.resumes = resumes
        self.isVerbose = isVerbose
    }

    /// Runs until the answer is there, or SIGINT, SIGTERM or SIGHUP comes; what has come of a file by then can be continued.
    package func run(on loop: EventLoop) async throws -> ExitStatus {
        let work = Task(executorPreference: loop) { try await fetch(on: loop) }
        let signals = try SignalSource(Self.signals, loop: loop) { _ in work.cancel() }
        defer { withExtendedLifetime(signals) {} }
        return try await work.value
    }

    private func fetch(on loop: EventLoop) async throws -> ExitStatus {
        let progress = ProgressLine(style: style)
        do throws(RequestError) {
            let session = try Session(configuration: configuration(progress, loop), loop: loop)
            let status =
                if let output, !Self.isStream(output) {
                    try await download(session, output)
                } else {
                    try await stream(session, loop)
                }
            conclude(progress)
            guard !(200..<300).contains(status) else { return .success }
            tell("the server answered \(status)")
        } catch {
            conclude(progress)
            if let cause = error.underlying as? OutputError { throw cause }
            if case .fileUnwritable(let path, _, let errno) = error.reason {
                throw OutputError.failed(name: path, errno)
            }
            tell(error.reason == .cancelled ? interruption : "\(error)")
        }
        return .requestFailed
    }

    private func configuration(_ progress: ProgressLine, _ loop: EventLoop) -> SessionConfiguration {
        var configuration = SessionConfiguration()
        configuration.interceptors = [RedirectFollower()]
        if isVerbose { configuration.monitors.append(report) }
        guard StandardStreams.isErrorTerminal, Environment.value("TERM") != "dumb",
            output != nil || !StandardStreams.isOutputTerminal
        else { return configuration }
        let spinner = Spinner("waiting for \(request.url.host() ?? "")", on: progress, style: style, loop: loop)
        configuration.monitors += [progress, ActivityMonitor(loop: loop) { spinner.show($0) }]
        return configuration
    }

    // MARK: What takes bytes as they come

    /// Whether a path leads to a folder, which nothing can be written to.
    package static func isFolder(_ path: String) -> Bool {
        (try? FilePath(path).stat().type) == .directory
    }

    /// Whether a path leads to a device, a pipe or a socket: nothing may take its place, and it has no use for half a file.
    private static func isStream(_ path: String) -> Bool {
        if ownStream(path) != nil { return true }
        do throws(Errno) {
            try RegularFile.checkReplaceable(FilePath(path))
            return false
        } catch {
            return error == RegularFile.refusal
        }
    }

    /// Which of the program's own streams a path leads to, as `/dev/stdout`: a file that took the place of that name would be missed
    /// by all others.
    private static func ownStream(_ path: String) -> FileDescriptor? {
        guard let there = try? FilePath(path).stat() else { return nil }
        return [FileDescriptor.standardOutput, .standardError].first { stream in
            (try? stream.stat()).map { $0.deviceID == there.deviceID && $0.inode == there.inode } ?? false
        }
    }

    private func stream(_ session: Session, _ loop: EventLoop) async throws(RequestError) -> Int {
        let stream = try await session.stream(request)
        do {
            let output = try lineOutput(loop)
            for try await chunk in stream.body { try await output.write(Array(chunk)) }
        } catch let error as RequestError {
            throw error
        } catch {
            throw RequestError(.cancelled, underlying: error)
        }
        return stream.head.statusCode
    }

    private func lineOutput(_ loop: EventLoop) throws -> LineOutput {
        guard let output else { return try LineOutput(.standardOutput, name: "standard output", loop: loop) }
        if let own = Self.ownStream(output) { return try LineOutput(own, name: output, loop: loop) }
        let file: FileDescriptor
        do throws(Errno) { file = try RegularFile.openAnything(FilePath(output), .writeOnly) } catch {
            throw OutputError.failed(name: output, error)
        }
        defer { try? file.close() }
        return try LineOutput(file, name: output, loop: loop)
    }

    // MARK: A file

    private func download(_ session: Session, _ path: String) async throws(RequestError) -> Int {
        var download = Download(request, to: FilePath(path))
        download.replacesFile = true
        download.keepsPartialFile = true
        let memory = ResumeFile(output: path)
        // What is not gone on with is not to lie there for ever, nor to be lost before anything else has come.
        download.resumeData = memory.load(for: request.url, orAny: !resumes)
        download.beginsAnew = !resumes
        do throws(RequestError) {
            let response = try await session.download(download).response
            memory.forget()
            return response.statusCode
        } catch {
            memory.save(error.resumeData)
            throw error
        }
    }

    // MARK: What is told

    private func conclude(_ progress: ProgressLine) {
        progress.end()
        guard isVerbose else { return }
        let width = StandardStreams.isErrorTerminal ? Terminal(output: 2).size.width : 80
        for line in report.lines(width: width, style: style) { StandardStreams.write(line + "\n") }
    }

    private var interruption: String {
        output == nil ? "interrupted" : "interrupted: --continue goes on where it is possible"
    }

    private func tell(_ text: String) {
        StandardStreams.tell("\(request.url.absoluteString.withoutUserInfo): \(text)")
    }
}
