import SeededRandom

/// The identifiers of one scenario: few, so that they coincide, and unusual, because byte order and quoting matter.
struct Vocabulary {
    let campaigns: [Identifier]
    let categories: [Identifier]
    let variants: [Identifier]
    let actions: [Identifier]
    let notifications: [Identifier]
    let devices: [Identifier]
    let appVersions: [Identifier]
    let platforms: [Identifier] = ["ios", "macos", "watchos", "visionos", "android", "web"]

    init(random: inout SeededGenerator) {
        campaigns = Self.names(5, &random)
        categories = Self.names(5, &random)
        variants = Self.names(3, &random)
        actions = Self.names(9, &random)
        let odd = Self.names(4, &random)
        notifications = odd + (1...40).map { Identifier("n-\($0)") }
        devices = odd + (1...12).map { Identifier("device \($0)") }
        appVersions = Self.names(2, &random) + ["1.9", "1.10", "2.0"]
    }

    /// Distinct unusual names, two of which are similar.
    private static func names(_ count: Int, _ random: inout SeededGenerator) -> [Identifier] {
        let close = random.some(2, of: random.one(in: families) ?? [])
        let others = families.flatMap(\.self).filter { !close.contains($0) }
        return random.shuffled(close + random.some(count - close.count, of: others))
    }

    private static let families: [[Identifier]] = [
        ["spring", "Spring", "spring-2", "sprin", "SPRING", "spring sale", "spring_2"],
        ["caf\u{E9}", "cafe\u{301}", "cafe", "caff"],
        ["\u{E9}", "e\u{301}", "f", "Z", "zz"],
        ["\u{1}first", "\u{1}", "\u{1}\u{1}", "\u{1}\u{2}", "first"],
        ["=SUM(1)", "-1", "+1", "@home", "'quoted'", "say \"hi\"", "a,b", "a;b"],
        ["line\nbreak", "tab\tinside", "back\\slash", "base%cent"],
        ["\u{1F389}", "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}", "\u{FFFD}", "\u{65E5}\u{672C}", "\u{10FFFF}"],
        ["null", "NULL", "{}", "{a,b}"],
        ["0", "10", "9"],
    ]
}
