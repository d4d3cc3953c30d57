extension String {
    /// Whether these are the same bytes: `==` takes the composed and the decomposed form of a character for the same, and on the
    /// wire they are not.
    func isSpelled(like other: String) -> Bool { utf8.elementsEqual(other.utf8) }

    /// In double quotes, within which a backslash goes before a quote or backslash. Not by characters: a quote that
    /// bears a mark is another one, and ends the quotes all the same.
    package var inDoubleQuotes: String {
        let escaped: [UInt8] = utf8.flatMap { byte -> [UInt8] in
            byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") ? [UInt8(ascii: "\\"), byte] : [byte]
        }
        return "\"\(String(decoding: escaped, as: UTF8.self))\""
    }
}
