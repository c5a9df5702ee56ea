// The receipts that events come with.
extension DeliveryStory {
    /// Some deliveries have a receipt in their payload, which most of their events give back; a few make one up.
    mutating func giveReceipts(_ chance: inout Chance) {
        guard chance.happens(50) else { return }
        let receipt = self.receipt(&chance)
        for index in events.indices where chance.happens(75) && !events[index].kind.isAboutDeviceAlone {
            events[index].receipt = receipt
            if chance.happens(4) { events[index].receipt?.forgery = chance.one(in: ModelReceipt.Forgery.allCases) }
            if chance.happens(3) { events[index].receipt?.deviceID = chance.one(in: fleet.vocabulary.devices) }
            if chance.happens(4) { expireReceipt(of: index, &chance) }
            // What the receipt has need not be said again.
            let isBound = events[index].receipt?.deviceID == events[index].deviceID
            let isNamed = events[index].receipt?.notificationID == events[index].notificationID
            events[index].statesIDs = !(isBound && isNamed && chance.happens(40))
        }
    }

    private func receipt(_ chance: inout Chance) -> ModelReceipt {
        let issuedAt = (start - chance.number(0...7_200_000_000)) / 1_000_000 * 1_000_000
        var receipt = ModelReceipt(
            notificationID: notification, deviceID: chance.happens(75) ? device : nil, issuedAt: issuedAt,
            expiresAt: issuedAt + 30 * 24 * microsecondsPerHour)
        if chance.happens(70) { receipt.campaign = facts.campaign }
        if chance.happens(70) { receipt.variant = facts.variant }
        if chance.happens(70) { receipt.category = facts.category }
        if chance.happens(50) { receipt.categoryVersion = facts.categoryVersion }
        if chance.happens(8) { receipt.campaign = chance.one(in: fleet.vocabulary.campaigns) }
        return receipt
    }

    /// Just too early, or just not.
    private mutating func expireReceipt(of index: Int, _ chance: inout Chance) {
        let second = events[index].occurredAt / 1_000_000
        let end = second - chance.one(of: 3_600, 62, 60, 58, 1)
        events[index].receipt?.issuedAt = (end - 3_600) * 1_000_000
        events[index].receipt?.expiresAt = end * 1_000_000
    }
}
