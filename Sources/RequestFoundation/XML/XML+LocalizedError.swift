public import Foundation

extension XML.Failure: LocalizedError {
    public var errorDescription: String? { description }
}
