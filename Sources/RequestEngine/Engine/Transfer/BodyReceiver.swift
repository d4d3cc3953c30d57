package import FoundationEssentials

/// Where the body of an answer goes, piece by piece. It is called in the middle of libcurl's work and must not call it.
package protocol BodyReceiver: AnyObject {
    /// Learns of the answer before its body; says why it will not take it, if it will not.
    func begin(_ head: ResponseHead, expecting count: Int) -> RequestError.Reason?
    /// Takes a piece, or says why it will not.
    func receive(_ bytes: Span<UInt8>) -> BodyDisposition
    /// Learns that no more will come, and why, unless it is all. Calls back, from any thread, once what has come is
    /// where it belongs; says what went wrong with it, if something has.
    func end(after failure: RequestError.Reason?, _ done: @escaping @Sendable (RequestError.Reason?) -> Void)
    /// What the response is to carry.
    var data: Data { get }
    /// Whether that is only the beginning of what came.
    var isCut: Bool { get }
    /// How much of the content was there before.
    var offset: Int64 { get }
}

extension BodyReceiver {
    package func end(after failure: RequestError.Reason?, _ done: @escaping @Sendable (RequestError.Reason?) -> Void) {
        done(nil)
    }
    package var data: Data { Data() }
    package var isCut: Bool { false }
    package var offset: Int64 { 0 }
}

/// What became of a piece of body.
package enum BodyDisposition {
    case taken
    /// There is no room now: the piece is offered again once the transfer is resumed.
    case paused
    /// What has come is all that is wanted: the transfer ends well.
    case enough
    case refused(RequestError.Reason)
}
