import ArgumentParser

extension SettingsSource {
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
