/// How much is taken from whom.
///
/// | property | meaning |
/// | --- | --- |
/// | `perKeyAndAddress` | events a second with one key from one address; 0 is no bound |
/// | `perKey` | events a second with one key; 0 is no bound |
/// | `burst` | size of a burst, in seconds of the rate |
/// | `failuresPerAddress` | unknown keys a second from one address; 0 is no bound |
///
/// The limit of a key and an address comes first, and is the smaller one, so that no device can use up its app's.
package struct RateLimits: Sendable {
    package var perKeyAndAddress = 5_000
    package var perKey = 0
    package var burst = 10
    package var failuresPerAddress = 10

    package init() {}

    func rate(_ perSecond: Int) -> TokenBucket.Rate? {
        perSecond > 0 ? .init(perSecond: Double(perSecond), burst: Double(perSecond * max(1, burst))) : nil
    }
}
