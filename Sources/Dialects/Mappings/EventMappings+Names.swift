extension EventMappings {
    /// The names that rules of a family have, in their normal form, to find out quickly that none applies.
    package func names(of family: DialectFamily) -> Set<String> {
        Set(mappings.filter { ($0.dialect ?? family.rawValue) == family.rawValue }.map { EventNames.normal($0.event) })
    }
}
