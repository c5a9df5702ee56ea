import AfterpushWire

extension IngestEvent {
    /// What the provider's server says of a send, whose clock is right.
    init(sendOf story: DeliveryStory, dice: inout RandomSource) {
        self.init(
            eventID: dice.uuid(at: story.send.time), kind: story.send.kind, notificationID: story.notificationID,
            deviceID: story.device.id, occurredAt: story.send.time)
        campaignID = story.campaign.id
        variant = story.variant.id
        categoryID = story.campaign.category
        platform = story.device.platform
        // The app states its version when it registers its token.
        appVersion = story.device.build.version
        reason = story.send.reason
    }
}
