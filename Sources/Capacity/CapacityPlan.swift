/// What a workload needs, computed from measured costs.
///
/// It holds for what Afterpush can do today: all events of an app are in one database, with one rollup worker. So a load
/// that is too much for one database has to come from several apps, which are divided over databases.
package struct CapacityPlan: Sendable {
    package let workload: Workload
    /// What the workload takes of one database, whether that has it or not.
    package let single: DatabaseLoad
    /// The number of databases among which the apps have to be divided.
    package let databases: Int
    /// What each of those has to bear, if all get the same.
    package let each: DatabaseLoad
    /// The events per second, on average, that one database can take. No app can have more.
    package let largestApp: Double

    package init(_ workload: Workload, machine: DatabaseMachine, collector: CollectorSize) {
        func load(_ workload: Workload) -> DatabaseLoad {
            DatabaseLoad(workload: workload, machine: machine, collector: collector)
        }
        let databases = Self.fewest { load(workload.divided(by: $0)).fits }
        let part = workload.divided(by: databases)
        self.workload = workload
        self.single = load(workload)
        self.databases = databases
        self.each = load(part)
        self.largestApp = Self.most { rate in
            var app = part
            app.eventsPerSecond = rate
            return load(app).fits
        }
    }

    package var collectors: Int { each.collectors * databases }

    /// What all databases have to bear together.
    package func total(of amount: KeyPath<DatabaseLoad, Double>) -> Double {
        each[keyPath: amount] * Double(databases)
    }

    /// The smallest number that is enough, given that any larger number is, too.
    private static func fewest(isEnough: (Int) -> Bool) -> Int {
        var high = 1
        while !isEnough(high), high < maximum { high *= 2 }
        var low = high / 2
        while high - low > 1 {
            let middle = (low + high) / 2
            if isEnough(middle) { high = middle } else { low = middle }
        }
        return high
    }

    /// The highest rate that fits, given that any lower one does, too.
    private static func most(fits: (Double) -> Bool) -> Double {
        var (low, high) = (0.0, 1e9)
        for _ in 0..<60 {
            let middle = (low + high) / 2
            if fits(middle) { low = middle } else { high = middle }
        }
        return low
    }

    private static let maximum = 1 << 30
}
