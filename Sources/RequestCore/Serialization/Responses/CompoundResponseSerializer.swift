public import RequestEngine

/// Tries serializers in order; the first that makes a value wins, and its error comes with it. Where none does, the
/// body is the value, and the compound's own validation tells what is wrong.
public struct CompoundResponseSerializer: ResponseSerializer {
    public var validation = ResponseValidation()
    /// Each with a validation of its own.
    public var members: [any ResponseSerializer]

    public init(_ members: [any ResponseSerializer]) {
        self.members = members
    }

    public func serialize(_ response: Response) -> SerializedResponse<any Sendable> {
        for member in members {
            if let result = attempt(member, response) { return result }
        }
        return SerializedResponse(value: response.body, error: validation.check(response).error)
    }

    private func attempt<Member: ResponseSerializer>(
        _ member: Member, _ response: Response
    ) -> SerializedResponse<any Sendable>? {
        let result = member.serialize(response)
        guard let value = result.value else { return nil }
        return SerializedResponse(value: value, error: result.error)
    }
}
