/// The limits of the HTTP server on time, bytes and connections.
///
/// | property | meaning |
/// | --- | --- |
/// | `headerTimeout` | from the first byte of a request, or the opening of its connection, to the end of its headers |
/// | `headerBytes` | size of the request line and the headers |
/// | `bodyTimeout` | from the end of the headers to the end of the body |
/// | `bodyRate`, `bodyGrace` | minimum average rate of a body, in bytes per second, and the time before it applies |
/// | `bodyBytes` | size of a body, both as sent and decompressed |
/// | `bodyMemory` | size of all bodies in memory |
/// | `idleTimeout` | how long a connection stays open without a request |
/// | `writeTimeout` | how long a client can read nothing of its response |
/// | `writeRate` | minimum average rate at which a client reads what waits for it, in bytes per second; 0 means none |
/// | `writeMemory` | size of the unread responses of an HTTP/2 connection; the write that exceeds it is still accepted |
/// | `connections` | open connections; near the limit, new ones replace those that do nothing, and at the limit they wait. Also the open streams of all HTTP/2 connections |
/// | `connectionsPerAddress` | open connections, and streams, of one address; more are closed immediately; 0 means no limit |
/// | `lingerBytes`, `lingerTimeout` | what is read and dropped, and how long, so that a refused client gets a reply; and what is dropped for HTTP/2 streams after they were reset |
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
    package var writeRate = 1_024
    package var writeMemory = 8 * 1024 * 1024
    package var connections = 8_192
    package var connectionsPerAddress = 1_024
    package var lingerBytes = 1024 * 1024
    package var lingerTimeout: Duration = .seconds(2)

    package init() {}
}
