import Alerts
import Ingest
import Instruments
import Logs
import Server
import Spool
import Storage

/// All metrics of `/metrics`, in a fixed order.
struct CollectorMetrics: Sendable {
    let ingest = IngestMetrics()
    let sink = SinkMetrics()
    let rollup = RollupMetrics()
    let alerts = AlertMetrics()
    let server = ServerMetrics()
    /// Returns the state of the spool, or `nil` for a collector without a spool.
    var spool: @Sendable () async -> SpoolHealth? = { nil }
    /// The backups of the program's own cluster, or `nil` if the settings name a database.
    var backups: BackupHealthWorker?
    /// The queue of log lines, or `nil` if they are written at once.
    var logs: LogQueue?
    let machine: MachineMetrics

    init(machine: MachineMetrics) {
        self.machine = machine
    }

    func families(
        _ database: Database, _ committer: GroupCommitter, _ readiness: ReadinessWorker,
        _ databaseHealth: DatabaseHealthWorker
    ) async -> [MetricFamily] {
        let version: [ProgramVersion: Double] = [.current: 1]
        return [.gauge("afterpush_build_info", "Always 1; the label has the program's version.", version)]
            + (await readiness.families) + server.families
            + ingest.families + (await committer.depth.families) + sink.families + (await spool()?.families ?? [])
            + (await database.metricFamilies()) + rollup.families + alerts.families
            + (databaseHealth.reading?.families ?? [])
            + (backups?.families ?? []) + machine.families
            + [
                .counter(
                    "afterpush_log_lines_dropped_total", "Log lines that could not be written.",
                    logs.map { Double($0.dropped) })
            ] + ProcessMetrics.families()
    }
}
