// The app is opened now and then about when something happens to the delivery.
extension DeliveryStory {
    mutating func tellOpenings(_ chance: inout Chance) {
        guard chance.happens(35), let near = chance.one(in: events) else { return }
        let seconds = chance.one(of: 0, 1, 59, 60, 61, 3_600, 43_199, 43_200, 43_201, -1, -43_200, -50_000, -86_400)
        let odd = chance.one(of: 0, 0, 0, 1, -1)
        var event = ModelEvent(
            app: fleet.app,
            notificationID: nil,
            deviceID: device,
            eventID: chance.uuid(),
            kind: .app_opened,
            occurredAt: min(near.occurredAt + seconds * 1_000_000 + odd, fleet.now + 3 * microsecondsPerHour),
            verified: chance.happens(30)
        )
        event.platform = chance.happens(80) ? facts.platform : nil
        event.appVersion = chance.happens(80) ? facts.appVersion : nil
        events.append(event)
    }
}
