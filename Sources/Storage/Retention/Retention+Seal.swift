import Postgres
import SQLFiles

extension Retention {
    /// Announces which hours will be sealed, and seals them when all their events are merged.
    ///
    /// It waits two minutes for batches, but an hour for recounts, which no other one delays any more.
    func seal() async throws {
        try await waitForSpools()
        try await step { connection in
            _ = try connection.query(SQLFiles.callAnnounceSeal.text, [seconds(periods.events)])
        }
        let start = ContinuousClock.now
        while true {
            let state = try await text(SQLFiles.callAdvanceSeal)
            if state == "sealed" { return }
            let isRecounting = state == "recounting"
            guard start.duration(to: .now) < .seconds(isRecounting ? 3_600 : 120) else {
                throw isRecounting ? Failure.recounting : Failure.behind
            }
            try await merge()
            try await Task.sleep(for: .milliseconds(isRecounting ? 500 : 50))
        }
    }

    /// Waits until each collector has reported an empty spool, which usually takes some seconds.
    private func waitForSpools() async throws {
        let start = ContinuousClock.now
        let began = try await step { connection in
            try connection.query(SQLFiles.readClock.text)[0].decode(String.self, column: 0)
        }
        while let obstacle = try await value(String?.self, SQLFiles.callSealObstacle, [.text(began)]) ?? nil {
            guard start.duration(to: .now) < reportTimeout else { throw Failure.obstacle(obstacle) }
            try await Task.sleep(for: .milliseconds(200))
        }
    }
}
