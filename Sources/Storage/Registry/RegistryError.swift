/// Why a declaration could not be taken.
package enum RegistryError: Error, Sendable, Equatable, CustomStringConvertible {
    case noSuchApp(String)
    case appExists(String)
    case invalidName
    case noSuchKey(Int32)
    case noSuchCampaign(String)
    case noApp
    case severalApps([String])
    case tooManySecrets(limit: Int)

    package var description: String {
        switch self {
        case .noSuchApp(let name): "there is no app '\(name)'; create it with: afterpush apps create \(name)"
        case .appExists(let name): "the app '\(name)' already exists"
        case .invalidName: "a name must be 1 to 256 bytes long, without control characters"
        case .noSuchKey(let id): "there is no key \(id)"
        case .noSuchCampaign(let id): "there is no campaign '\(id)'"
        case .noApp: "there is no app yet; create one with: afterpush apps create NAME"
        case .severalApps(let names): "name the app with --app: \(names.joined(separator: ", "))"
        case .tooManySecrets(let limit):
            "\(limit) receipt secrets are valid already; --at-once retires them all now, without an overlap"
        }
    }
}
