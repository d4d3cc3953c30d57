extension String {
    /// Orders by Unicode scalars, which for ASCII is what `NSString.compare` does.
    package func precedes(_ other: String) -> Bool {
        unicodeScalars.lexicographicallyPrecedes(other.unicodeScalars)
    }
}
