import ArgumentParser

extension SettingsSource {
    /// A whole number, not below `least`.
    func count(_ key: String, atLeast least: Int = 0) throws -> Int? {
        guard let text = self[key] else { return nil }
        guard let count = Int(text), count >= least else {
            throw ValidationError("\(key) must be a whole number of at least \(least)")
        }
        return count
    }

    /// Seconds, above zero and with a fraction if need be.
    func seconds(_ key: String) throws -> Duration? {
        guard let text = self[key] else { return nil }
        guard let seconds = Double(text), seconds > 0, seconds <= 86_400 else {
            throw ValidationError("\(key) must be a number of seconds above 0")
        }
        return .seconds(seconds)
    }
}
