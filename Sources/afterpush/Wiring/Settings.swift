import Alerts
import ArgumentParser
import Events
import Foundation
import Logging
import Logs
import Postgres
import Server
import Storage

/// The effective settings: each comes from a flag, else the environment, else the config file, else the default.
///
/// | key | environment | default |
/// | --- | --- | --- |
/// | `database.url` | `AFTERPUSH_DATABASE_URL`, `DATABASE_URL` | the program's own cluster |
/// | `data.dir` | `AFTERPUSH_DATA_DIR` | `.afterpush` |
/// | `host` | `AFTERPUSH_HOST` | `127.0.0.1` |
/// | `port` | `AFTERPUSH_PORT` | `8080` |
/// | `backup.dir` | `AFTERPUSH_BACKUP_DIR` | none |
/// | `reports.database.url` | `AFTERPUSH_REPORTS_DATABASE_URL` | none: reports are read from the database |
/// | `reports.max.lag` | `AFTERPUSH_REPORTS_MAX_LAG` | 60 seconds |
/// | `reports.dir` | `AFTERPUSH_REPORTS_DIR` | none |
/// | `spool.dir` | `AFTERPUSH_SPOOL_DIR` | `spool` in `data.dir` |
/// | `spool.bytes` | `AFTERPUSH_SPOOL_BYTES` | 268435456; 0 disables the spool |
/// | `retention.events` | `AFTERPUSH_RETENTION_EVENTS` | `forever` |
/// | `retention.deliveries` | `AFTERPUSH_RETENTION_DELIVERIES` | `forever` |
/// | `retention.rejected` | `AFTERPUSH_RETENTION_REJECTED` | `90d` |
/// | `session.lifetime` | `AFTERPUSH_SESSION_LIFETIME` | `12h` |
/// | `alerts.allow` | `AFTERPUSH_ALERTS_ALLOW` | none |
/// | `alerts.smtp.url` | `AFTERPUSH_ALERTS_SMTP_URL` | none: no mail |
/// | `alerts.smtp.from` | `AFTERPUSH_ALERTS_SMTP_FROM` | `afterpush@localhost` |
/// | `alerts.smtp.user` | `AFTERPUSH_ALERTS_SMTP_USER` | none |
/// | `alerts.smtp.password` | `AFTERPUSH_ALERTS_SMTP_PASSWORD` | none |
/// | `alerts.smtp.ca` | `AFTERPUSH_ALERTS_SMTP_CA` | the authorities that the system trusts |
/// | `charts` | `AFTERPUSH_CHARTS` | where Debian's libjs-chart.js has Chart.js |
/// | `log.level` | `AFTERPUSH_LOG_LEVEL` | `info` for `serve`, `warning` for the others |
/// | `log.format` | `AFTERPUSH_LOG_FORMAT` | `auto`: `text` on a terminal, `json` elsewhere |
/// | `postgres.user` | `AFTERPUSH_POSTGRES_USER` | as root: `postgres` |
/// | `postgres.bin` | `AFTERPUSH_POSTGRES_BIN` | the newest that is installed |
/// | `postgres.memory` | `AFTERPUSH_POSTGRES_MEMORY` | that of the machine, container or unit |
///
/// The extensions of `CollectorServer.Configuration`, `HTTPLimits` and `NameLimits` list further settings.
struct Settings: Sendable {
    var databaseURL: String?
    var dataDirectory: String
    let host: String
    let port: Int
    let configFile: String?
    /// The directory of backups, which the commands `backup` and `restore` use.
    let backupDirectory: String?
    let reportsDirectory: String?
    /// The replica that reports are read from, or nil.
    var reportsDatabaseURL: String?
    /// The lag beyond which the replica is not used.
    let reportsMaxLag: Duration
    var spoolDirectory: String
    /// The capacity of the spool in bytes. 0 disables it.
    let spoolBytes: Int
    let retention: RetentionPeriods
    /// The time for which a browser stays signed in to the dashboard.
    let sessionLifetime: Duration
    let alerts: AlertSenderConfiguration
    let charts: ChartsFile
    let names: NameLimits
    let logLevel: Logger.Level?
    /// The format of log lines, or nil for text on a terminal and JSON otherwise.
    let logFormat: LogFormat?
    let postgresUser: String?
    let postgresBin: String?
    /// The loopback address on which report logins reach the program's own cluster, or nil.
    let postgresListen: String?
    /// The memory in bytes that the program's own cluster shares out, or nil for the machine's.
    let postgresMemory: Int?
    var server: CollectorServer.Configuration

    init(_ options: SettingsOptions, host: String? = nil, port: Int? = nil) async throws {
        let source = try await SettingsSource(file: options.config)
        databaseURL =
            options.databaseURL ?? source[environment: "database.url"]
            ?? ProcessInfo.processInfo.environment["DATABASE_URL"].flatMap { $0.isEmpty ? nil : $0 }
            ?? source["database.url"]
        // They are for a database that the settings name.
        if databaseURL == nil { ConnectionEnvironment.clear() }
        dataDirectory = options.dataDir ?? source["data.dir"] ?? ".afterpush"
        self.host = host ?? source["host"] ?? "127.0.0.1"
        self.port = try (port.map(String.init) ?? source["port"]).map(Self.port) ?? 8080
        configFile = source.path
        backupDirectory = source["backup.dir"]
        reportsDirectory = source["reports.dir"]
        reportsDatabaseURL = try source["reports.database.url"].map(Self.connectionString)
        reportsMaxLag = try source.seconds("reports.max.lag") ?? .seconds(60)
        spoolDirectory = source["spool.dir"] ?? dataDirectory + "/spool"
        spoolBytes = try source["spool.bytes"].map(Self.spoolBytes) ?? 256 << 20
        retention = try RetentionPeriods(source)
        sessionLifetime = try source["session.lifetime"].map(Self.lifetime) ?? .seconds(12 * 3_600)
        alerts = try AlertSenderConfiguration(source)
        charts = ChartsFile(path: source["charts"])
        names = try NameLimits(source)
        logLevel = try (options.logLevel ?? source["log.level"]).map(Self.level)
        logFormat = try (options.logFormat ?? source["log.format"]).flatMap(Self.format)
        postgresUser = source["postgres.user"]
        postgresBin = source["postgres.bin"]
        postgresListen = try source["postgres.listen"].map(Self.loopback)
        postgresMemory = try source["postgres.memory"].map(Self.memory)
        server = try CollectorServer.Configuration(source, host: self.host, port: self.port)
        // A flag hides a setting, which the file may still have.
        for key in ["host", "port", "log.level", "log.format", "data.dir", "database.url"] { _ = source[key] }
        try source.refuseUnknown()
    }

    private static func port(_ text: String) throws -> Int {
        guard let port = Int(text), (0...65_535).contains(port) else {
            throw ValidationError("port must be a number from 0 to 65535")
        }
        return port
    }

    /// Returns a connection string that libpq can parse. An invalid one would otherwise be taken for a replica that is away.
    private static func connectionString(_ text: String) throws -> String {
        guard (try? ConnectionString.withoutPasswords(text)) != nil else {
            throw ValidationError("reports.database.url is no connection string of PostgreSQL")
        }
        return text
    }

    private static func loopback(_ text: String) throws -> String {
        var address = in_addr()
        guard text == "::1" || inet_pton(AF_INET, text, &address) == 1 && text.hasPrefix("127.") else {
            throw ValidationError(
                "the address for report logins must be one of this machine alone, such as 127.0.0.1, not \"\(text)\"")
        }
        return text
    }

    private static func memory(_ text: String) throws -> Int {
        guard let match = text.wholeMatch(of: /([1-9][0-9]{0,6})(MB|GB)/), let count = Int(match.1) else {
            throw ValidationError("the memory of PostgreSQL must be like 512MB or 4GB, not \"\(text)\"")
        }
        let bytes = count << (match.2 == "GB" ? 30 : 20)
        guard bytes >= 128 << 20 else { throw ValidationError("the memory of PostgreSQL must be at least 128MB") }
        return bytes
    }

    private static func spoolBytes(_ text: String) throws -> Int {
        guard let bytes = Int(text), bytes == 0 || bytes >= 1 << 20 else {
            throw ValidationError("spool bytes must be at least 1048576, or 0 for no spool")
        }
        return bytes
    }

    private static func lifetime(_ text: String) throws -> Duration {
        let units = ["s": 1, "m": 60, "h": 3_600, "d": 86_400]
        guard let match = text.wholeMatch(of: /([1-9][0-9]{0,6})([smhd])/), let count = Int64(match.1),
            let unit = units[String(match.2)], count * Int64(unit) <= 90 * 86_400
        else {
            throw ValidationError("session lifetime must be a number of seconds, minutes, hours or days, such as 12h")
        }
        return .seconds(count * Int64(unit))
    }

    private static func format(_ text: String) throws -> LogFormat? {
        if text == "auto" { return nil }
        guard let format = LogFormat(rawValue: text) else {
            throw ValidationError("log format must be text, json or auto")
        }
        return format
    }

    private static func level(_ text: String) throws -> Logger.Level {
        guard let level = Logger.Level(rawValue: text) else {
            throw ValidationError(
                "log level must be one of \(Logger.Level.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return level
    }
}

/// The settings that every command accepts as flags.
struct SettingsOptions: ParsableArguments {
    @Option(
        help: "PostgreSQL to use, postgres://... (AFTERPUSH_DATABASE_URL, DATABASE_URL, default: the program's own).")
    var databaseURL: String?

    @Option(help: "Directory of the program's own PostgreSQL (AFTERPUSH_DATA_DIR, default: .afterpush).")
    var dataDir: String?

    @Option(help: "JSON file with settings: {\"data\": {\"dir\": \"...\"}} (AFTERPUSH_CONFIG).")
    var config: String?

    @Option(
        help: """
            trace, debug, info, notice, warning, error or critical (AFTERPUSH_LOG_LEVEL, default: info for serve, else \
            warning).
            """)
    var logLevel: String?

    @Option(help: "text, json or auto: text on a terminal (AFTERPUSH_LOG_FORMAT, default: auto).")
    var logFormat: String?

    func settings() async throws -> Settings {
        try await Settings(self)
    }
}

/// The settings of the limits for names.
///
/// | key | environment | property |
/// | --- | --- | --- |
/// | `limits.categories` | `AFTERPUSH_LIMITS_CATEGORIES` | `categories` |
/// | `limits.actions` | `AFTERPUSH_LIMITS_ACTIONS` | `actions` |
/// | `limits.versions` | `AFTERPUSH_LIMITS_VERSIONS` | `versions` |
/// | `limits.campaigns` | `AFTERPUSH_LIMITS_CAMPAIGNS` | `campaigns` |
/// | `limits.variants` | `AFTERPUSH_LIMITS_VARIANTS` | `variants` |
/// | `limits.app.versions` | `AFTERPUSH_LIMITS_APP_VERSIONS` | `appVersions` |
extension NameLimits {
    /// Returns the defaults, overridden by the settings.
    init(_ source: SettingsSource) throws {
        self.init()
        categories = try source.count("limits.categories", atLeast: 1) ?? categories
        actions = try source.count("limits.actions", atLeast: 1) ?? actions
        versions = try source.count("limits.versions", atLeast: 1) ?? versions
        campaigns = try source.count("limits.campaigns", atLeast: 1) ?? campaigns
        variants = try source.count("limits.variants", atLeast: 1) ?? variants
        appVersions = try source.count("limits.app.versions", atLeast: 1) ?? appVersions
    }
}
