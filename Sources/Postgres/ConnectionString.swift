import CLibpq

/// A connection string taken apart by libpq, with our defaults where it says nothing.
struct ConnectionString {
    private let options: [String: String]

    init(_ configuration: PostgresConfiguration) throws(PostgresError) {
        var options = try Self.parse(configuration.conninfo)
        let defaults = [
            "application_name": configuration.applicationName,
            "connect_timeout": String(max(2, configuration.connectTimeout.milliseconds / 1_000)),
            "tcp_user_timeout": String(configuration.tcpUserTimeout.milliseconds),
            "keepalives_idle": "30", "keepalives_interval": "5", "keepalives_count": "3",
        ]
        options.merge(defaults) { own, _ in own }
        options["client_encoding"] = "UTF8"
        self.options = options
    }

    /// One set of options for each host, to be tried in order.
    ///
    /// libpq moves on to the next host by itself unless one swallows packets: its time limit for that is in the calls
    /// that block. So each host gets an attempt, and a time limit, of its own.
    var attempts: [[String: String]] {
        let hosts = self.list("host"), addresses = self.list("hostaddr"), ports = self.list("port")
        let count = max(hosts.count, addresses.count)
        // Preferring a standby takes a second round over all hosts, which only libpq can do.
        guard count > 1, self.options["target_session_attrs"] != "prefer-standby" else { return [self.options] }
        return (0..<count).map { index in
            var options = self.options
            if hosts.indices.contains(index) { options["host"] = hosts[index] }
            if addresses.indices.contains(index) { options["hostaddr"] = addresses[index] }
            if ports.count > 1, ports.indices.contains(index) { options["port"] = ports[index] }
            return options
        }
    }

    private func list(_ keyword: String) -> [String] {
        guard let value = self.options[keyword] else { return [] }
        return value.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }

    private static func parse(_ conninfo: String) throws(PostgresError) -> [String: String] {
        var message: UnsafeMutablePointer<CChar>?
        guard let first = PQconninfoParse(conninfo, &message) else {
            // libpq's message quotes the string, and a password may be what it stumbled over.
            PQfreemem(message)
            throw PostgresError(.connect, "the connection string is invalid")
        }
        defer { PQconninfoFree(first) }
        var options: [String: String] = [:]
        var option = first
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val { options[String(cString: keyword)] = String(cString: value) }
            option += 1
        }
        return options
    }
}
