import ArgumentParser
import Configuration
import Foundation
import Reports
import Synchronization

/// A source of the settings that no flag gives: the environment, then the config file.
struct SettingsSource {
    private let environment: ConfigReader
    private let file: ConfigReader?
    /// The path of the config file, if there is one.
    let path: String?
    private let asked = AskedKeys()

    /// Opens the config file.
    ///
    /// - Parameter path: The path of a JSON file. Without it, the variable AFTERPUSH_CONFIG may name one.
    init(file path: String?) async throws {
        environment = ConfigReader(provider: EnvironmentVariablesProvider()).scoped(to: "afterpush")
        self.path = path ?? environment.string(forKey: "config")
        guard let path = self.path else {
            file = nil
            return
        }
        let location = ConfigReader(provider: InMemoryProvider(values: ["filePath": .init(stringLiteral: path)]))
        do {
            file = ConfigReader(provider: try await FileProvider<JSONSnapshot>(config: location))
        } catch {
            guard access(path, R_OK) == 0 else {
                throw ValidationError("the config file \(path) can't be read: \(String(cString: strerror(errno)))")
            }
            throw ValidationError("the config file \(path) is not valid JSON")
        }
        let data = FileManager.default.contents(atPath: path) ?? Data()
        if let found = (try? JSONDecoder().decode(Value.self, from: data))?.unreadable(under: "") {
            throw ValidationError(
                "the config file \(path) has \(found.kind) as \(found.key), which must be a text or a number; "
                    + "a list is a text with commas")
        }
    }

    /// A value of the config file. Only texts and numbers can be settings; anything else would be ignored.
    private enum Value: Decodable {
        case members([String: Value])
        case setting
        case other(String)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let members = try? container.decode([String: Value].self) {
                self = .members(members)
            } else if container.decodeNil() {
                self = .other("null")
            } else if (try? container.decode(Bool.self)) != nil {
                self = .other("a boolean")
            } else if (try? container.decode(String.self)) != nil || (try? container.decode(Double.self)) != nil {
                self = .setting
            } else {
                self = .other("an array")
            }
        }

        /// The first value, by its key, that is no setting.
        func unreadable(under path: String) -> (key: String, kind: String)? {
            switch self {
            case .setting: return nil
            case .other(let kind): return (path, kind)
            case .members(let members):
                for (name, value) in members.sorted(by: { $0.key < $1.key }) {
                    if let found = value.unreadable(under: path.isEmpty ? name : "\(path).\(name)") { return found }
                }
                return nil
            }
        }
    }

    /// Returns a setting. An empty variable of the environment counts as absent.
    subscript(key: String) -> String? {
        asked.keys.withLock { _ = $0.insert(key) }
        let path = Self.path(key)
        return self[environment: key] ?? file?.string(forKey: path) ?? file?.int(forKey: path).map(String.init)
            ?? file?.double(forKey: path).map { String($0) }
    }

    /// Returns a setting from the environment only.
    subscript(environment key: String) -> String? {
        let value = environment.string(forKey: Self.path(key))
        return value == "" ? nil : value
    }

    /// Refuses settings that nothing has asked for, after all settings were read.
    ///
    /// A key of the config file has to be one of them. A variable of the environment may have another use, so it is only
    /// refused if it looks like a mistyped one.
    func refuseUnknown() throws {
        let known = asked.keys.withLock(\.self)
        if let path, let data = FileManager.default.contents(atPath: path),
            let members = try? JSONSerialization.jsonObject(with: data) as? [String: Any]
        {
            for key in Self.keys(of: members, under: "").sorted() where !known.contains(key) {
                let suggestion = Suggestion.text(for: key, in: known.sorted())
                throw ValidationError("the config file \(path) has the unknown setting \(key)\(suggestion)")
            }
        }
        let variables = Dictionary(known.map { (Self.variable($0), $0) }) { first, _ in first }
        for name in ProcessInfo.processInfo.environment.keys.sorted()
        where name.hasPrefix(Self.prefix) && variables[name] == nil && name != Self.prefix + "CONFIG" {
            let suffix = String(name.dropFirst(Self.prefix.count))
            let known = variables.keys.map { String($0.dropFirst(Self.prefix.count)) }.sorted()
            guard let nearest = Suggestion.nearest(to: suffix, in: known, changes: 2) else { continue }
            throw ValidationError("there is no setting \(name); did you mean \(Self.prefix)\(nearest)?")
        }
    }

    private static let prefix = "AFTERPUSH_"

    private static func variable(_ key: String) -> String {
        prefix + key.uppercased().replacing(".", with: "_")
    }

    private static func keys(of members: [String: Any], under path: String) -> [String] {
        members.flatMap { name, value in
            (value as? [String: Any]).map { keys(of: $0, under: path + name + ".") } ?? [path + name]
        }
    }

    private static func path(_ key: String) -> ConfigKey {
        ConfigKey(key.split(separator: ".").map(String.init))
    }

    /// The greatest number of a setting. No number or size needs more, and sums and small multiples of it don't overflow.
    static let greatestCount = 1 << 50

    /// Returns a whole number of at least `least`, or nil if the setting is absent.
    func count(_ key: String, atLeast least: Int = 0) throws -> Int? {
        guard let text = self[key] else { return nil }
        guard let count = Int(text), count >= least else {
            throw ValidationError("\(key) must be a whole number of at least \(least)")
        }
        guard count <= Self.greatestCount else {
            throw ValidationError("\(key) must be at most \(Self.greatestCount)")
        }
        return count
    }

    /// Returns a number of seconds above 0, which may have a fraction, or nil if the setting is absent.
    func seconds(_ key: String) throws -> Duration? {
        guard let text = self[key] else { return nil }
        guard let seconds = Double(text), seconds > 0, seconds <= 86_400 else {
            throw ValidationError("\(key) must be a number of seconds above 0")
        }
        return .seconds(seconds)
    }
}

/// The keys that were asked for, which are all settings that there are.
private final class AskedKeys: Sendable {
    let keys = Mutex<Set<String>>([])
}
