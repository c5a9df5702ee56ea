import ArgumentParser
import Capacity
import Events
import Ingest
import Storage

struct PlanCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan",
        abstract: "Computes what a number of events per second needs: machines, disk, WAL, and what breaks first.",
        discussion: """
            Multiplies costs that were measured; it measures nothing itself, and needs neither settings nor a database. \
            --format json also prints the costs and how each is known. --cores, --memory and --disk describe the machine \
            of a database. docs/scale.md explains the rows.

            Example:
              afterpush plan --events-per-second 10000
              afterpush plan --events-per-second 1000 10000 --retention 30d --peak 5
            """)

    @Option(parsing: .upToNextOption, help: "Events per second, averaged over days; several make several columns.")
    var eventsPerSecond: [Double]
    @Option(help: "The busiest minutes, as a multiple of the average.") var peak = 3.0
    @Option(help: "Share of events that come one in a request, from 0 to 1; the others come in requests of 100.")
    var singleEvents = 0.5
    @Option(help: "The size of an event as JSON, in bytes.") var eventBytes = Cost.eventBytes.value
    @Option(help: "How long events and deliveries are kept: 90d.") var retention = "90d"
    @Option(help: "Reports per minute, dashboards included.") var reportsPerMinute = 60.0
    @Option(help: "Processor cores of a database's machine.") var cores = 8.0
    @Option(help: "Memory of a database's machine, in GiB.") var memory = 128.0
    @Option(help: "Disk of a database's machine, in TB.") var disk = 15.0
    @Option(help: "table or json.") var format = "table"

    func validate() throws {
        func check(_ name: String, _ value: Double, _ range: ClosedRange<Double>) throws {
            guard range.contains(value) else {
                let (least, most) = (Self.text(range.lowerBound), Self.text(range.upperBound))
                throw ValidationError("\(name) must be from \(least) to \(most)")
            }
        }
        guard !eventsPerSecond.isEmpty, eventsPerSecond.count <= 8 else {
            throw ValidationError("--events-per-second must be one to eight numbers")
        }
        for rate in eventsPerSecond { try check("--events-per-second", rate, 0.01...1e8) }
        try check("--peak", peak, 1...1_000)
        try check("--single-events", singleEvents, 0...1)
        try check("--event-bytes", eventBytes, 1...Double(Limits().eventBytes))
        try check("--reports-per-minute", reportsPerMinute, 0...1e6)
        try check("--cores", cores, 1...1_024)
        try check("--memory", memory, 1...65_536)
        try check("--disk", disk, 0.01...10_000)
        guard ["table", "json"].contains(format) else { throw ValidationError("--format must be table or json") }
        guard retentionDays != nil else {
            throw ValidationError("--retention must be a number of days or hours such as 90d")
        }
    }

    func run() throws {
        var machine = DatabaseMachine()
        machine.cores = cores
        machine.memoryGiB = memory
        machine.diskTB = disk
        let collector = CollectorSize(connections: Database.connections, lanes: GroupCommitPolicy().lanes)
        let plans = eventsPerSecond.map { CapacityPlan(workload($0), machine: machine, collector: collector) }
        Terminal.print(format == "json" ? PlanDocument(plans).json : PlanTable(plans).text)
    }

    private func workload(_ eventsPerSecond: Double) -> Workload {
        var workload = Workload(eventsPerSecond: eventsPerSecond)
        workload.peak = peak
        workload.singleShare = singleEvents
        workload.eventBytes = eventBytes
        workload.retentionDays = retentionDays ?? workload.retentionDays
        workload.reportsPerMinute = reportsPerMinute
        return workload
    }

    /// The days of `--retention`, or `nil` if it is no period, or `forever`, for which no disk is enough.
    private var retentionDays: Double? {
        (try? RetentionPeriods.seconds(retention, "--retention")).map { Double($0) / 86_400 }
    }

    private static func text(_ number: Double) -> String {
        number == number.rounded() ? String(Int(number)) : String(number)
    }
}
