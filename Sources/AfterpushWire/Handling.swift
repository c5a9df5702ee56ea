/// Who took the response: the app, its content extension, or the app after the extension forwarded it.
///
/// Raw values are the words on the wire.
public enum Handling: String, Sendable, Hashable, Codable, CaseIterable {
    case app
    case `extension`
    case forwarded
}
