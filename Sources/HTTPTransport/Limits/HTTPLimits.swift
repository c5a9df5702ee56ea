/// What the HTTP server takes from the world at most. Nobody can hold more of it, or hold it longer.
///
/// | property | meaning |
/// | --- | --- |
/// | `headerTimeout` | from the first byte of a request, or the opening of its connection, to the end of its headers |
/// | `headerBytes` | the request line and the headers |
/// | `bodyTimeout` | from the headers' end to the body's |
/// | `bodyRate`, `bodyGrace` | bytes a second that a body comes at, on average, once the grace is over |
/// | `bodyBytes` | a body, as sent and decompressed |
/// | `bodyMemory` | all bodies that are held at the same time |
/// | `idleTimeout` | a connection without a request |
/// | `writeTimeout` | a client that takes nothing of its answer |
/// | `connections` | open connections; at the bound, new ones wait to be accepted |
/// | `connectionsPerAddress` | open connections of one address; more are closed at once; 0 is no bound |
/// | `lingerBytes`, `lingerTimeout` | what is read and dropped, and for how long, so that a refused client gets its answer |
package struct HTTPLimits: Sendable {
    package var headerTimeout: Duration = .seconds(5)
    package var headerBytes = 16 * 1024
    package var bodyTimeout: Duration = .seconds(10)
    package var bodyRate = 1_024
    package var bodyGrace: Duration = .seconds(1)
    package var bodyBytes = 5 * 1024 * 1024
    package var bodyMemory = 64 * 1024 * 1024
    package var idleTimeout: Duration = .seconds(75)
    package var writeTimeout: Duration = .seconds(10)
    package var connections = 8_192
    package var connectionsPerAddress = 1_024
    package var lingerBytes = 1024 * 1024
    package var lingerTimeout: Duration = .seconds(2)

    package init() {}
}
