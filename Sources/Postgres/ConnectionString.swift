import CLibpq

/// A connection string, parsed by libpq and completed with defaults.
package struct ConnectionString {
    private let options: [String: String]
    /// The time limit for each host.
    let connectTimeout: Duration

    private struct Option {
        let value: String
        /// Whether libpq says that a form shows it like a password.
        let isSecret: Bool
    }

    init(_ configuration: PostgresConfiguration) throws(PostgresError) {
        var options = try Self.parse(configuration.conninfo).mapValues(\.value)
        // Without a limit, as 0 asks libpq for, a host that doesn't respond would never be given up.
        let own = options["connect_timeout"].flatMap { Int($0) }.flatMap { $0 > 0 ? Duration.seconds($0) : nil }
        connectTimeout = configuration.connectTimeout ?? own ?? .seconds(5)
        let defaults = [
            "application_name": configuration.applicationName,
            "tcp_user_timeout": String(configuration.tcpUserTimeout.milliseconds),
            "keepalives_idle": "30", "keepalives_interval": "5", "keepalives_count": "3",
        ]
        options.merge(defaults) { own, _ in own }
        options["client_encoding"] = "UTF8"
        options["connect_timeout"] = String(max(2, connectTimeout.milliseconds / 1_000))
        self.options = options
    }

    /// The options for each host, to be tried in order.
    ///
    /// libpq itself tries the next host, but in non-blocking mode it has no time limit for a host that doesn't respond.
    /// So each host gets its own attempt with its own time limit.
    var attempts: [[String: String]] {
        let hosts = self.list("host"), addresses = self.list("hostaddr"), ports = self.list("port")
        let count = max(hosts.count, addresses.count)
        // Preferring a standby needs a second round over all hosts, which libpq does itself.
        guard count > 1, self.options["target_session_attrs"] != "prefer-standby" else { return [self.options] }
        return (0..<count).map { index in
            var options = self.options
            if hosts.indices.contains(index) { options["host"] = hosts[index] }
            if addresses.indices.contains(index) { options["hostaddr"] = addresses[index] }
            if ports.count > 1, ports.indices.contains(index) { options["port"] = ports[index] }
            return options
        }
    }

    /// Returns a connection string without its passwords and other secrets, for command lines, which all users of the
    /// machine can see.
    ///
    /// - Throws: `PostgresError` if libpq can't parse it.
    package static func withoutPasswords(_ conninfo: String) throws(PostgresError) -> String {
        let options = try Self.parse(conninfo)
        guard options.values.contains(where: \.isSecret) else { return conninfo }
        let order = ["host", "hostaddr", "port", "dbname", "user"]
        let place = { (key: String) in order.firstIndex(of: key) ?? order.count }
        return options.filter { !$0.value.isSecret }
            .sorted { (place($0.key), $0.key) < (place($1.key), $1.key) }
            .map { "\($0.key)=\(Self.quoted($0.value.value))" }.joined(separator: " ")
    }

    /// Returns a connection string to another database of the same server.
    ///
    /// - Throws: `PostgresError` if libpq can't parse it.
    package static func conninfo(_ conninfo: String, inDatabase database: String) throws(PostgresError) -> String {
        var options = try Self.parse(conninfo).mapValues(\.value)
        options["dbname"] = database
        return Self.text(options)
    }

    /// The options as one string.
    static func text(_ options: [String: String]) -> String {
        options.map { "\($0.key)=\(Self.quoted($0.value))" }.joined(separator: " ")
    }

    private static func quoted(_ value: String) -> String {
        "'\(value.replacing("\\", with: "\\\\").replacing("'", with: "\\'"))'"
    }

    private func list(_ keyword: String) -> [String] {
        guard let value = self.options[keyword] else { return [] }
        return value.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }

    private static func parse(_ conninfo: String) throws(PostgresError) -> [String: Option] {
        var message: UnsafeMutablePointer<CChar>?
        guard let first = PQconninfoParse(conninfo, &message) else {
            // libpq's message quotes the part of the string that it can't parse, which may be a password.
            PQfreemem(message)
            throw PostgresError(.connect, "the connection string is invalid")
        }
        defer { PQconninfoFree(first) }
        var options: [String: Option] = [:]
        var option = first
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val {
                let isSecret = option.pointee.dispchar.map { String(cString: $0) } == "*"
                options[String(cString: keyword)] = Option(value: String(cString: value), isSecret: isSecret)
            }
            option += 1
        }
        // libpq takes the password for a port if a slash is in it, and quotes it when it connects.
        guard (options["port"]?.value ?? "").allSatisfy({ "0123456789, ".contains($0) }) else {
            throw PostgresError(
                .connect,
                "the connection string is invalid: its port is no number; in a URL, a / in the password is written %2F")
        }
        return options
    }
}
