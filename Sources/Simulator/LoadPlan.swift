package import Foundation

/// How much is posted at a collector to see what it takes.
///
/// | property | meaning |
/// | --- | --- |
/// | `url` | the collector's address |
/// | `key` | a key that may post events |
/// | `connections` | requests under way at once |
/// | `events` | events in a request |
/// | `duration` | how long requests are begun |
package struct LoadPlan: Sendable {
    package let url: URL
    package let key: String
    package var connections = 16
    package var events = 100
    package var duration: Duration = .seconds(10)

    package init(url: URL, key: String) {
        self.url = url
        self.key = key
    }
}
