import Events

extension Spool {
    /// Takes over the entries of collectors that no longer run, and erases devices from those that were set aside.
    ///
    /// If the process is killed meanwhile, entries can be in both files, which costs only repeated work. The slots stay
    /// locked for the reporter, at most until this is called again. A slot that can't be used does not stop the others.
    ///
    /// - Throws: The error of the first slot that can't be used, after all others.
    func adoptLeftEntries(erasing devices: SuppressionList = SuppressionList()) async throws(SpoolError) {
        self.emptiedSlots = []
        var failure: SpoolError?
        for number in 0..<SpoolFileLock.limit where number != self.fileLock.number {
            do throws(SpoolError) {
                try await self.adoptSlot(number, erasing: devices)
            } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
    }

    private func adoptSlot(_ number: Int, erasing devices: SuppressionList) async throws(SpoolError) {
        let fileLock = try SpoolFileLock.takeLeft(
            number, in: self.configuration.directory, owner: self.configuration.owner)
        guard let fileLock else { return }
        let left = Spool(self.configuration, fileLock: fileLock, logger: self.logger)
        await left.start()
        do throws(SpoolError) {
            try await self.adopt(left)
            try await left.erase(devices)
            try await left.removeRemains()
        } catch {
            await left.close()
            throw error
        }
        let isUsable = await left.state.isUsable
        await left.closeFile()
        if isUsable { self.emptiedSlots.append(fileLock) } else { fileLock.release() }
    }

    private func adopt(_ left: Spool) async throws(SpoolError) {
        while true {
            let rows = try await left.rows(1_000, events: 5_000)
            guard !rows.isEmpty else { return }
            let entries = rows.compactMap { row in
                row.entry.map { PackedEntry(bytes: Array($0), events: row.events) }
            }
            try self.keep(entries)
            let events = entries.reduce(0) { $0 + $1.events }
            self.state.counts.spooled -= events
            self.state.counts.found += events
            try await left.remove(rows.map(\.id), events: rows.reduce(0) { $0 + $1.events })
        }
    }
}
