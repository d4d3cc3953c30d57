extension String {
    /// Whether these are the same bytes: `==` takes the composed and the decomposed form of a character for the same, and on the
    /// wire they are not.
    func isSpelled(like other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
