internal import FoundationEssentials
import RequestEngine

/// What requests have to have in common to be given one answer: all that is sent, and all that is asked of the session.
struct RequestIdentity: Hashable {
    private let method: RequestMethod
    private let url: String
    private let headers: HeaderFields
    private let options: RequestOptions
    private let cachePolicy: CachePolicy?

    /// Nil for a request that sends a body, asks for a connection of its own, or has a say in what is kept.
    init?(_ request: Request) {
        guard request.body == nil, !request.usesFreshConnection, request.willStore == nil else { return nil }
        method = request.method
        url = request.url.absoluteString
        headers = request.headers
        options = request.options
        cachePolicy = request.cachePolicy
    }

    /// By what mostly differs; the rest is compared.
    func hash(into hasher: inout Hasher) {
        hasher.combine(method)
        hasher.combine(url)
        hasher.combine(headers)
    }
}
