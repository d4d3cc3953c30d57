import ArgumentParser
import Connectivity
import EventLoop
import Glibc
import History
import NetwatchService
import RequestEngine

/// How the program ends for an error: a status, and one line on standard error that names the thing and the remedy.
struct Ending {
    private let status: ExitStatus
    private let line: String?
    private let parserError: (any Error)?

    init(_ error: any Error) {
        switch error {
        case let ending as ExitRequest: self.init(ending.status, nil)
        case OutputError.closed: self.init(.success, nil)
        case let error as OutputError: self.init(.outputError, "\(error)")
        case let error as ListenError: self.init(error.isPermission ? .noPermission : .unavailable, "\(error)")
        case let error as TooFewDescriptors: self.init(.systemError, "\(error)")
        case let error as EventLoopError: self.init(.systemError, "\(error)")
        case let error as TraceError: self.init(error.status, "\(error)")
        case let error as ConfigurationFileError: self.init(error.status, "\(error)")
        case let error as CAFileError: self.init(.noInput, "\(error)")
        case let error as AccessTokenError: self.init(error.status, "\(error)")
        case let error as ServiceAnswerError: self.init(.unavailable, "\(error)")
        case let error as HistoryError: self.init(.noInput, "\(error)")
        case let error as DatabaseError: self.init(.noInput, "\(error)")
        case ConnectivityError.target(let error): self.init(.usage, "\(error)")
        // A file's values are checked as it is read: one that is found wrong later is the command line's.
        case ConnectivityError.value(name: _, range: _): self.init(.usage, "\(error)")
        case ConnectivityError.path(let cause): self.init(.systemError, "\(cause)")
        case let error as ConnectivityError: self.init(.systemError, "\(error)")
        case let error as RequestError: self.init(.requestFailed, "\(error)")
        case is CancellationError: self.init(.success, nil)
        default: self.init(parser: error)
        }
    }

    private init(_ status: ExitStatus, _ line: String?) {
        self.status = status
        self.line = line
        parserError = nil
    }

    /// Help, version and completions are the parser's own; its complaints are told in one line.
    private init(parser error: any Error) {
        let code = NetwatchCommand.exitCode(for: error)
        switch code {
        case .success: (status, line, parserError) = (.success, nil, error)
        case .validationFailure:
            let message = NetwatchCommand.message(for: error).split(separator: "\n").joined(separator: " ")
            let separator = message.hasSuffix("?") ? " See" : "; see"
            (status, line, parserError) = (.usage, "\(message)\(separator) netwatch --help", nil)
        default: (status, line, parserError) = (.software, "\(error)", nil)
        }
    }

    func exit() -> Never {
        if let parserError {
            let text = NetwatchCommand.fullMessage(for: parserError) + "\n"
            do { try StandardStreams.show(text) } catch { Ending(error).exit() }
        }
        if let line { StandardStreams.tell(line) }
        Glibc.exit(status.rawValue)
    }
}

/// An end without an error: the status says it all.
struct ExitRequest: Error {
    let status: ExitStatus
}
