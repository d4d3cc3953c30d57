/// What an interceptor has to come after to be right, so that no list of interceptors is in a wrong order.
///
/// An interceptor that answers a challenge has to see each leg of a redirect, since a credential belongs to an origin. One that gives one
/// request the answer to another has to see both as they are sent, with every token and field that others put in.
public enum InterceptorStage: Int, Hashable, Sendable, CaseIterable {
    /// Where the list has it.
    case listed
    /// After those, on each leg of a redirect and each attempt.
    case challenges
    /// After those: requests that are alike become one.
    case sharing
    /// The last: answers are kept, and found again.
    case storing
}

extension InterceptorStage: Comparable {
    public static func < (one: InterceptorStage, other: InterceptorStage) -> Bool { one.rawValue < other.rawValue }
}

extension InterceptorStage {
    /// Interceptors in the order they are called: by their stages, and as they are listed within each.
    static func order(_ interceptors: [any Interceptor]) -> [any Interceptor] {
        guard interceptors.contains(where: { $0.stage != .listed }) else { return interceptors }
        return allCases.flatMap { stage in interceptors.filter { $0.stage == stage } }
    }
}
