import Foundation

extension Browser {
    /// Opens an address and returns when the page has loaded.
    package func open(_ url: String) async throws {
        let _: Nothing? = try await send("/url", ["url": url])
    }

    package var url: String {
        get async throws { try await send("/url") }
    }

    /// Waits until an expression is true in the current page, even if the page changes meanwhile.
    package func wait(
        for what: String, timeout: Duration = .seconds(60), until expression: String
    ) async throws {
        let deadline = ContinuousClock.now + timeout
        // No page can evaluate it during a navigation.
        while (try? await evaluate("Boolean(\(expression))") as Bool) != true {
            guard ContinuousClock.now < deadline else {
                let text: String = (try? await evaluate("location.href + ': ' + document.body.innerText")) ?? ""
                throw Program.Failed(message: "never \(what): \(text.prefix(1_500))")
            }
            try await Task.sleep(for: .milliseconds(30))
        }
    }

    /// The visible text of the first element that matches a selector.
    package func text(_ selector: String) async throws -> String {
        try await evaluate("document.querySelector(\(Self.literal(selector)))?.innerText ?? ''")
    }

    /// The texts of all elements that match a selector.
    package func texts(_ selector: String) async throws -> [String] {
        try await evaluate("[...document.querySelectorAll(\(Self.literal(selector)))].map((e) => e.innerText.trim())")
    }

    /// Clicks on the first element that matches a selector, as a person would.
    package func click(_ selector: String) async throws {
        let element = try await element(selector)
        let _: Nothing? = try await send("/element/\(element)/click", [:])
    }

    /// Types into the first element that matches a selector.
    package func type(_ text: String, into selector: String) async throws {
        let element = try await element(selector)
        let _: Nothing? = try await send("/element/\(element)/value", ["text": text])
    }

    /// Presses keys one after the other on the focused element, optionally with Shift.
    package func press(_ keys: Key..., shift: Bool = false) async throws {
        var actions: [[String: String]] = []
        for key in keys {
            for type in ["keyDown", "keyUp"] { actions.append(["type": type, "value": key.rawValue]) }
        }
        if shift {
            actions.insert(["type": "keyDown", "value": Key.shift.rawValue], at: 0)
            actions.append(["type": "keyUp", "value": Key.shift.rawValue])
        }
        let keyboard: [String: any Sendable] = ["type": "key", "id": "keyboard", "actions": actions]
        let _: Nothing? = try await send("/actions", ["actions": [keyboard]])
    }

    package enum Key: String, Sendable {
        case tab = "\u{E004}"
        case enter = "\u{E007}"
        case escape = "\u{E00C}"
        case space = " "
        case down = "\u{E015}"
        case shift = "\u{E008}"
    }

    /// Sets the size of the page, emulating a phone if it is narrow; nil restores the window's size.
    package func setSize(_ size: (width: Int, height: Int)?) async throws {
        guard let size else {
            let _: Nothing = try await command("Emulation.clearDeviceMetricsOverride")
            return
        }
        let _: Nothing = try await command(
            "Emulation.setDeviceMetricsOverride",
            ["width": size.width, "height": size.height, "deviceScaleFactor": 1, "mobile": size.width < 600])
    }

    /// Sets the preferred color scheme of the reader's system: `dark` or `light`.
    package func setColorScheme(_ scheme: String) async throws {
        let features = [["name": "prefers-color-scheme", "value": scheme]]
        let _: Nothing = try await command("Emulation.setEmulatedMedia", ["features": features])
    }

    /// Resets cookies, size, colors and logs, and opens an empty page.
    package func reset() async throws {
        try await open("about:blank")
        let _: Nothing = try await command("Network.clearBrowserCookies")
        try await setSize(nil)
        try await setColorScheme("light")
        _ = try await log()
        _ = try await requests()
    }

    package func setCookie(_ name: String, _ value: String, url: String) async throws {
        let _: Nothing = try await command("Network.setCookie", ["name": name, "value": value, "url": url])
    }

    /// A text as a JavaScript literal.
    package static func literal(_ text: String) -> String {
        let data = (try? JSONSerialization.data(withJSONObject: [text])) ?? Data("[\"\"]".utf8)
        return String(decoding: data, as: UTF8.self) + "[0]"
    }

    private func element(_ selector: String) async throws -> String {
        let found: [String: String] = try await send("/element", ["using": "css selector", "value": selector])
        guard let id = found.values.first else { throw Program.Failed(message: "no element: \(selector)") }
        return id
    }
}
