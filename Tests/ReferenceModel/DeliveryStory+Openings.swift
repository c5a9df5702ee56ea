import SeededRandom

// The app is opened now and then about when something happens to the delivery.
extension DeliveryStory {
    mutating func tellOpenings(_ random: inout SeededGenerator) {
        guard random.happens(percent: 35), let near = random.one(in: events) else { return }
        let seconds = random.one(of: 0, 1, 59, 60, 61, 3_600, 43_199, 43_200, 43_201, -1, -43_200, -50_000, -86_400)
        let odd = random.one(of: 0, 0, 0, 1, -1)
        var event = ModelEvent(
            app: fleet.app,
            notificationID: nil,
            deviceID: device,
            eventID: random.uuid(),
            kind: .app_opened,
            occurredAt: min(near.occurredAt + seconds * 1_000_000 + odd, fleet.now + 3 * microsecondsPerHour),
            verified: random.happens(percent: 30)
        )
        event.platform = random.happens(percent: 80) ? facts.platform : nil
        event.appVersion = random.happens(percent: 80) ? facts.appVersion : nil
        events.append(event)
    }
}
