internal import Netwatch

/// A key of the document that stands in the wrong part of it: within the section of the service, or outside of it.
enum MisplacedKey {
    /// What is wrong, as a sentence; nil for a key that belongs nowhere, and for other mistakes.
    static func sentence(_ error: ConfigurationError) -> String? {
        guard case .unknownKey(let key, let known, _) = error else { return nil }
        if ServiceDocument.Keys(rawValue: key) != nil {
            return "the configuration's key \"\(key)\" belongs into the section \"\(ServiceDocument.key)\""
        }
        let names = key.split(separator: ".", omittingEmptySubsequences: false)
        // A key at the top may have a dot in its own name: beside it are the keys that it would belong to.
        guard names.count == 2, names[0] == ServiceDocument.key, !known.contains(String(names[1])),
            ConfigurationDocument.keys.contains(String(names[1]))
        else { return nil }
        return "the configuration's key \"\(names[1])\" belongs outside of the section \"\(ServiceDocument.key)\""
    }
}
