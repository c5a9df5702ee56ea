package import AfterpushWire

extension Event {
    package var surface: String? { details?.surface }
    package var trigger: Trigger? { details?.trigger }
    package var appState: String? { details?.appState }
    package var appVersion: String? { details?.appVersion }
    package var osVersion: String? { details?.osVersion }
    package var locale: String? { details?.locale }
    package var utcOffsetMinutes: Int32? { details?.utcOffsetMinutes }
    package var dismissCause: String? { details?.dismissCause }
    package var handling: Handling? { details?.handling }
    package var reason: String? { details?.reason }
    package var name: String? { details?.name }
    package var value: String? { details?.value }
    package var currency: String? { details?.currency }
    package var properties: String? { details?.properties }
}
