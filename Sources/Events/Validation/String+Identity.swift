extension String {
    /// Whether the texts are the same bytes. Swift's `==` also holds for different spellings of one character.
    package func isSame(as other: String?) -> Bool {
        guard let other else { return false }
        return utf8.elementsEqual(other.utf8)
    }
}
