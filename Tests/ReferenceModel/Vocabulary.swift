/// The identifiers of one scenario: few, so that they meet, and odd, since byte order and quoting matter.
struct Vocabulary {
    let campaigns: [Identifier]
    let categories: [Identifier]
    let variants: [Identifier]
    let actions: [Identifier]
    let notifications: [Identifier]
    let devices: [Identifier]
    let appVersions: [Identifier]
    let platforms: [Identifier] = ["ios", "macos", "watchos", "visionos", "android", "web"]

    init(chance: inout Chance) {
        campaigns = chance.some(5, of: Self.oddNames)
        categories = chance.some(5, of: Self.oddNames)
        variants = chance.some(3, of: Self.oddNames)
        actions = chance.some(9, of: Self.oddNames)
        let odd = chance.some(4, of: Self.oddNames)
        notifications = odd + (1...40).map { Identifier("n-\($0)") }
        devices = odd + (1...12).map { Identifier("device \($0)") }
        appVersions = chance.some(2, of: Self.oddNames) + ["1.9", "1.10", "2.0"]
    }

    private static let oddNames: [Identifier] = [
        "spring", "Spring", "spring-2", "sprin", "SPRING", "spring sale", "spring_2",
        "caf\u{E9}", "cafe\u{301}", "cafe", "caff", "\u{E9}", "e\u{301}", "f",
        "\u{1}first", "\u{1}", "=SUM(1)", "-1", "+1", "@home", "'quoted'", "say \"hi\"", "a,b", "a;b",
        "line\nbreak", "tab\tinside", "back\\slash", "per%cent",
        "\u{1F389}", "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}", "\u{FFFD}",
        "\u{65E5}\u{672C}", "\u{10FFFF}", "null", "NULL", "{}", "{a,b}", "0", "10", "9", "zz", "Z",
    ]
}
