import Testing

@testable import Capacity

struct CapacityPlanTests {
    private static let collector = CollectorSize(connections: 20, lanes: 2)

    private func plan(_ workload: Workload, machine: DatabaseMachine = DatabaseMachine()) -> CapacityPlan {
        CapacityPlan(workload, machine: machine, collector: Self.collector)
    }

    private func load(_ workload: Workload, machine: DatabaseMachine = DatabaseMachine()) -> DatabaseLoad {
        DatabaseLoad(workload: workload, machine: machine, collector: Self.collector)
    }

    @Test func `a load whose keys are in memory costs what was measured`() {
        var workload = Workload(eventsPerSecond: 1_000)
        workload.peak = 10
        workload.singleShare = 0
        workload.retentionDays = 1
        workload.reportsPerMinute = 0
        let load = self.load(workload)
        #expect(load.missShare == 0)
        #expect(abs(load.rollupLoad - 10_000 * Cost.rollupBatch.value / 1e6) < 1e-9)
        #expect(abs(load.collectorCores - 10_000 * Cost.collectorBatch.value / 1e6) < 1e-9)
        #expect(
            abs(load.postgresCores - 10_000 * (Cost.rollupBatch.value + Cost.storingBatch.value) / 1e6) < 1e-9)
        #expect(load.walBytesAtPeak == 10_000 * Cost.wal.value)
        #expect(load.diskBytes == 86_400_000 * Cost.disk.value)
        #expect(load.diskBytesPerDay == load.diskBytes)
        #expect(load.collectors == 2 && load.connections == 40, "one of them can be replaced")
        workload.singleShare = 1
        #expect(abs(self.load(workload).rollupLoad - 10_000 * Cost.rollupSingle.value / 1e6) < 1e-9)
    }

    @Test func `pages that have to be read keep the rollup worker waiting, and are logged as a whole`() {
        let workload = Workload(eventsPerSecond: 1_000)
        var machine = DatabaseMachine()
        machine.memoryGiB = 100_000
        let inMemory = load(workload, machine: machine)
        machine.memoryGiB = 1
        let fromDisk = load(workload, machine: machine)
        #expect(inMemory.missShare == 0 && fromDisk.missShare > 0.99 && fromDisk.missShare < 1)
        let waiting = workload.peakRate * Cost.deliveryPages.value * Cost.pageRead.value / 1e6
        #expect(abs(fromDisk.rollupLoad - inMemory.rollupLoad - waiting * fromDisk.missShare) < 1e-9)
        #expect(fromDisk.walBytesAtPeak > inMemory.walBytesAtPeak)
        #expect(fromDisk.postgresCores == inMemory.postgresCores, "a process that waits uses no processor")
        #expect(fromDisk.diskBytes == inMemory.diskBytes)
    }

    @Test func `what an event has beyond the measured size is stored and logged once, and a smaller one saves nothing`()
    {
        var workload = Workload(eventsPerSecond: 100)
        workload.retentionDays = 1
        let measured = load(workload)
        workload.eventBytes += 1_000
        let large = load(workload)
        #expect(abs(large.diskBytes - measured.diskBytes - 100 * 86_400 * 1_000) < 1)
        #expect(abs(large.walBytesAtPeak - measured.walBytesAtPeak - 300 * 1_000) < 1)
        workload.eventBytes = 100
        #expect(load(workload).diskBytes == measured.diskBytes)
        #expect(workload.receivedBytes < measured.workload.receivedBytes)
    }

    @Test func `more of anything never takes less`() {
        let sizes = [\Workload.eventBytes, \.retentionDays]
        for quantity in [\Workload.eventsPerSecond, \.peak, \.singleShare, \.reportsPerMinute] + sizes {
            self.grow(quantity)
        }
    }

    private func grow(_ quantity: WritableKeyPath<Workload, Double>) {
        var workload = Workload(eventsPerSecond: 10)
        workload[keyPath: quantity] = quantity == \.singleShare ? 0 : 1
        var last = plan(workload)
        for _ in 0..<24 {
            if quantity == \.singleShare { workload.singleShare += 1 / 24 } else { workload[keyPath: quantity] *= 2 }
            let next = plan(workload)
            #expect(next.databases >= last.databases, "\(workload)")
            #expect(next.single.collectors >= last.single.collectors, "\(workload)")
            for resource in Resource.allCases {
                #expect(next.single.use(of: resource) >= last.single.use(of: resource), "\(resource) of \(workload)")
            }
            if quantity != \.eventsPerSecond, quantity != \.reportsPerMinute {
                #expect(next.largestApp <= last.largestApp * 1.000_001, "\(workload)")
            }
            last = next
        }
        #expect(quantity == \.singleShare || last.databases > 1)
    }

    @Test(arguments: [100.0, 1_000, 10_000, 100_000, 1_000_000], [1.0, 30, 400])
    func `the databases are as few as are enough, and together bear the whole load`(rate: Double, days: Double) {
        var workload = Workload(eventsPerSecond: rate)
        workload.retentionDays = days
        let plan = self.plan(workload)
        #expect(plan.each.fits)
        #expect(plan.databases == 1 || !load(workload.divided(by: plan.databases - 1)).fits)
        #expect(plan.single.fits == (plan.databases == 1))
        #expect(abs(plan.total(of: \.diskBytes) / plan.single.diskBytes - 1) < 1e-9)
        #expect(abs(plan.total(of: \.postgresCores) / plan.single.postgresCores - 1) < 1e-9)
        #expect(abs(plan.total(of: \.collectorCores) / plan.single.collectorCores - 1) < 1e-9)
        #expect(plan.total(of: \.walBytesAtPeak) <= plan.single.walBytesAtPeak, "more memory, fewer whole pages")
        #expect(plan.collectors == plan.databases * plan.each.collectors)
    }

    @Test func `the largest app is the most that one database takes`() {
        var workload = Workload(eventsPerSecond: 50_000)
        workload.reportsPerMinute = 0
        let largest = plan(workload).largestApp
        workload.eventsPerSecond = largest
        #expect(plan(workload).databases == 1)
        workload.eventsPerSecond = largest * 1.01
        #expect(plan(workload).databases == 2)
    }

    @Test func `what breaks first is that of which the largest share is used`() {
        var workload = Workload(eventsPerSecond: 20_000)
        workload.retentionDays = 1
        #expect(load(workload).scarcest == .rollupWorker)
        workload.retentionDays = 3_650
        #expect(load(workload).scarcest == .disk)
        var machine = DatabaseMachine()
        machine.cores = 1
        machine.diskTB = 10_000
        machine.memoryGiB = 65_536
        workload.retentionDays = 1
        #expect(load(workload, machine: machine).scarcest == .cores)
        workload.eventBytes = 32_768
        machine.cores = 1_024
        #expect(load(workload, machine: machine).scarcest == .wal)
    }
}
