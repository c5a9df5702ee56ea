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
        case .noSuchApp(let name): "there is no app '\(name)'; make it with: afterpush apps create \(name)"
        case .appExists(let name): "there is an app '\(name)' already"
        case .invalidName: "a name is 1 to 256 bytes long and has no control characters"
        case .noSuchKey(let id): "there is no key \(id)"
        case .noSuchCampaign(let id): "there is no campaign '\(id)'"
        case .noApp: "there is no app yet; make one with: afterpush apps create NAME"
        case .severalApps(let names): "say which app with --app: \(names.joined(separator: ", "))"
        case .tooManySecrets(let limit):
            "\(limit) receipt secrets verify already; --at-once retires them instead of keeping them for an overlap"
        }
    }
}
