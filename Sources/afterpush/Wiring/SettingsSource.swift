import ArgumentParser
import Configuration

/// A source of the settings that no flag gives: the environment, then the config file.
struct SettingsSource {
    private let environment: ConfigReader
    private let file: ConfigReader?
    /// The path of the config file, if there is one.
    let path: String?

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
            throw ValidationError("the config file \(path) is not valid JSON")
        }
    }

    /// Returns a setting. An empty variable of the environment counts as absent.
    subscript(key: String) -> String? {
        let path = Self.path(key)
        return self[environment: key] ?? file?.string(forKey: path) ?? file?.int(forKey: path).map(String.init)
            ?? file?.double(forKey: path).map { String($0) }
    }

    /// Returns a setting from the environment only.
    subscript(environment key: String) -> String? {
        let value = environment.string(forKey: Self.path(key))
        return value == "" ? nil : value
    }

    private static func path(_ key: String) -> ConfigKey {
        ConfigKey(key.split(separator: ".").map(String.init))
    }

    /// Returns a whole number of at least `least`, or nil if the setting is absent.
    func count(_ key: String, atLeast least: Int = 0) throws -> Int? {
        guard let text = self[key] else { return nil }
        guard let count = Int(text), count >= least else {
            throw ValidationError("\(key) must be a whole number of at least \(least)")
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
