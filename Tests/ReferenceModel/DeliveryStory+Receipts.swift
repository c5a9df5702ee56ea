import SeededRandom

// The receipts that events come with.
extension DeliveryStory {
    /// Some deliveries have a receipt in their payload, which most of their events give back; a few make one up.
    mutating func giveReceipts(_ random: inout SeededGenerator) {
        guard random.happens(percent: 50) else { return }
        let receipt = self.receipt(&random)
        for index in events.indices where random.happens(percent: 75) && !events[index].kind.isAboutDeviceAlone {
            events[index].receipt = receipt
            if random.happens(percent: 4) {
                events[index].receipt?.forgery = random.one(in: ModelReceipt.Forgery.allCases)
            }
            if random.happens(percent: 3) { events[index].receipt?.deviceID = random.one(in: fleet.vocabulary.devices) }
            if random.happens(percent: 4) { expireReceipt(of: index, &random) }
            // What the receipt has need not be said again.
            let isBound = events[index].receipt?.deviceID == events[index].deviceID
            let isNamed = events[index].receipt?.notificationID == events[index].notificationID
            events[index].statesIDs = !(isBound && isNamed && random.happens(percent: 40))
        }
    }

    private func receipt(_ random: inout SeededGenerator) -> ModelReceipt {
        let issuedAt = (start - random.number(0...7_200_000_000)) / 1_000_000 * 1_000_000
        var receipt = ModelReceipt(
            notificationID: notification, deviceID: random.happens(percent: 75) ? device : nil, issuedAt: issuedAt,
            expiresAt: issuedAt + 30 * 24 * microsecondsPerHour)
        if random.happens(percent: 70) { receipt.campaign = facts.campaign }
        if random.happens(percent: 70) { receipt.variant = facts.variant }
        if random.happens(percent: 70) { receipt.category = facts.category }
        if random.happens(percent: 50) { receipt.categoryVersion = facts.categoryVersion }
        if random.happens(percent: 8) { receipt.campaign = random.one(in: fleet.vocabulary.campaigns) }
        return receipt
    }

    /// Just too early, or just not.
    private mutating func expireReceipt(of index: Int, _ random: inout SeededGenerator) {
        let second = events[index].occurredAt / 1_000_000
        let end = second - random.one(of: 3_600, 62, 60, 58, 1)
        events[index].receipt?.issuedAt = (end - 3_600) * 1_000_000
        events[index].receipt?.expiresAt = end * 1_000_000
    }
}
