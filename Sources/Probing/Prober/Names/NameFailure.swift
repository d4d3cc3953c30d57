internal import Evidence
internal import Resolver

/// Why a name was not found, and what that shows of the server.
struct NameFailure: Error {
    let error: ResolverError
    let word: ServerWord

    init(_ error: ResolverError, _ word: ServerWord) {
        self.error = error
        self.word = word
    }

    /// Whether the name may be found elsewhere: in another domain.
    var isOfName: Bool {
        switch error {
        case .nameNotFound, .noRecords, .invalidName: true
        default: false
        }
    }

    /// Whether a server has said that it could not find out.
    var isServerFailure: Bool {
        if case .serverFailed = error { true } else { false }
    }

    /// Whether another server may do better.
    var isOfServer: Bool {
        switch error {
        case .serverFailed, .timedOut, .unreachable, .malformedAnswer: true
        default: false
        }
    }

    /// The one of two that says more: a word counts for more than silence, and what was told of the name for most. That there
    /// is no record of one family says nothing where the other is not known.
    static func telling(_ one: NameFailure?, _ other: NameFailure) -> NameFailure {
        guard let one, one.weight >= other.weight else { return other }
        return one
    }

    private var weight: Int {
        switch error {
        case .nameNotFound: 4
        case .serverFailed, .malformedAnswer: 3
        case .noRecords: 0
        default: word == .silent ? 1 : 2
        }
    }
}

extension Answer {
    /// What is told of a name that was not found.
    init(_ failure: NameFailure) {
        self =
            switch failure.error {
            case .nameNotFound, .noRecords, .invalidName: .noAddress(.nameNotFound)
            case .serverFailed, .malformedAnswer, .noServers: .noAddress(.nameServerFailed)
            case .interfaceRefused, .setup: .unsent
            case .cancelled: .void
            case .timedOut, .unreachable: Answer(unanswered: failure.word)
            }
    }

    private init(unanswered word: ServerWord) {
        self =
            switch word {
            case .heard, .refused: .noAddress(.nameServerFailed)
            case .told, .silent: .nothing
            case .unsent: .unsent
            case .noRoute: .noRoute
            case .void: .void
            }
    }
}

extension Miss {
    init(_ word: ServerWord) {
        self =
            switch word {
            case .told, .noRoute: .told
            case .silent: .silent
            case .heard, .refused, .unsent, .void: .void
            }
    }
}
