internal import Connectivity
internal import NetworkAddress

/// A name server that says something else of a name than the one whose answer was taken.
struct ResolverDisagreement: Sendable {
    enum Answer: Sendable {
        case addresses([IPAddress])
        case failure(ProbeFailure)
    }

    let server: IPAddress
    let answer: Answer

    /// Whether programs on this host fail or not by which server they happen to ask.
    ///
    /// Servers of large services give different addresses to different clients: that is no contradiction, whatever is wrong at
    /// the one that was taken, as long as it is the place that was meant.
    ///
    /// - Parameter isElsewhere: Whether another answers there than the one that was meant.
    func isFault(_ taken: [IPAddress], isElsewhere: Bool) -> Bool {
        switch answer {
        case .failure(let failure): failure.reason == .nameNotFound
        case .addresses(let others):
            Set(others).isDisjoint(with: taken)
                && (isElsewhere || others.allSatisfy(\.isPrivate) != taken.allSatisfy(\.isPrivate))
        }
    }

    var words: String {
        switch answer {
        case .addresses(let addresses): "\(server) says \(addresses.map(\.description).joined(separator: ", "))"
        case .failure(let failure): "\(server): \(failure.description)"
        }
    }
}
