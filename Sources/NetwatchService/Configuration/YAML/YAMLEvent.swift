/// One step through a YAML text.
struct YAMLEvent {
    enum Kind {
        case streamStart
        case streamEnd
        case documentStart
        case documentEnd
        case alias
        /// A text; without quotes its type is open.
        case scalar(String, isPlain: Bool)
        case listStart
        case listEnd
        case objectStart
        case objectEnd
    }

    let kind: Kind
    /// Where it begins and ends, in Unicode scalars from the beginning of the text.
    let start: Int
    let end: Int
    var hasAnchor = false
    var hasTag = false
}

/// Where and why a text is no YAML.
struct YAMLFailure: Error {
    let reason: String
    let place: Place

    enum Place {
        /// In Unicode scalars from the beginning of the text.
        case scalar(Int)
        /// In bytes.
        case byte(Int)
    }
}
