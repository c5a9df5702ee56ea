import Declarations
import Foundation
import Ingest
import Storage
import TestSupport
import Testing

extension BrowserTests {
    private func fill(_ browser: Browser, _ values: [String: String]) async throws {
        for (label, value) in values {
            _ =
                try await browser.evaluate(
                    """
                    [...document.querySelectorAll('dialog label.field, dialog [aria-label]')].forEach((element) => {
                        const name = element.getAttribute('aria-label') ?? element.querySelector('span').innerText;
                        if (name !== \(Browser.literal(label))) return;
                        const control = element.matches('input') ? element : element.querySelector('input, select');
                        control.value = \(Browser.literal(value));
                        control.dispatchEvent(new Event('change', { bubbles: true }));
                    })
                    """) as Bool?
        }
    }

    private func press(_ browser: Browser, _ text: String, in place: String) async throws {
        _ =
            try await browser.evaluate(
                """
                [...document.querySelectorAll('\(place) button')].find((one) =>
                    (one.ariaLabel ?? one.innerText) === \(Browser.literal(text))).click()
                """) as Bool?
    }

    private func closed(_ browser: Browser) async throws {
        try await browser.wait(for: "the dialog to close", until: "!document.querySelector('dialog')")
    }

    @Test func `a manage key declares campaigns and categories in the page, with the errors of the API`() async throws {
        let shop = try await DashboardFixture(filled: false)
        let client = TestClient(url: shop.collector.url)
        let visit = try await BrowserVisit(shop.collector.url, session: shop.session(key: shop.manageKey))
        let browser = visit.browser
        try await visit.open("/declare")
        #expect(try await browser.text("[aria-labelledby=declared-campaigns]").contains("No campaign is declared yet."))

        try await press(browser, "New category", in: "[aria-labelledby=declared-categories]")
        try await fill(browser, ["Identifier, as payloads carry it": "sale", "Keep reply texts for": "a while"])
        try await press(browser, "Add an action", in: "dialog")
        try await fill(browser, ["Identifier of the action": "book", "Title of the button": "Book now"])
        try await browser.click("dialog .form-row input[type=checkbox]")
        try await browser.click("dialog button[type=submit]")
        try await browser.wait(for: "the error", until: "document.querySelector('dialog .error:not([hidden])')")
        let refused = try await client.put(
            "/v1/categories",
            Data(
                #"""
                {"categories":[{"identifier":"sale","actions":[{"identifier":"book"}],"text_retention":"a while"}]}
                """#.utf8), key: shop.manageKey)
        let detail = try #require(try refused.json()["detail"] as? String)
        #expect(try await browser.text("dialog .error") == detail)
        try await fill(browser, ["Keep reply texts for": "30d"])
        try await browser.click("dialog button[type=submit]")
        try await closed(browser)
        try await visit.settle("the category")
        let category = try #require(try await shop.app.registry.categories(ofApp: shop.app.app.id).first?.declaration)
        #expect(category.identifier == "sale" && category.actions.first?.isGoal == true)
        #expect(category.actions.first?.title == "Book now" && category.options == ["customDismissAction"])

        try await press(browser, "New campaign", in: "[aria-labelledby=declared-campaigns]")
        try await fill(
            browser,
            [
                "Id, as payloads carry it": "autumn", "Name for people": "Autumn sale", "Category": "sale",
                "Response window": "soon",
            ])
        try await press(browser, "Add a variant", in: "dialog")
        try await fill(browser, ["Id of the variant": "a"])
        try await browser.click("dialog .checks input")
        try await browser.click("dialog button[type=submit]")
        try await browser.wait(for: "the error", until: "document.querySelector('dialog .error:not([hidden])')")
        #expect(try await browser.text("dialog .error") == "“Response window” is not a duration: 90m, 72h or 7d")
        try await fill(browser, ["Response window": "48h"])
        try await browser.click("dialog button[type=submit]")
        try await closed(browser)
        try await visit.settle("the campaign")
        let campaign = try #require(try await shop.app.registry.campaign("autumn", ofApp: shop.app.app.id))
        #expect(campaign.name == "Autumn sale" && campaign.category == "sale" && campaign.goalActions == ["book"])
        #expect(campaign.responseWindow == .seconds(48 * 3_600) && campaign.variants.map(\.identifier) == ["a"])
        let row = try #require(try await cells(browser, "declared-campaigns").first)
        #expect(row[0] == "Autumn sale autumn Edit" && row[3] == "book", "\(row)")

        try await press(browser, "Edit Autumn sale", in: "[aria-labelledby=declared-campaigns]")
        try await fill(browser, ["Name for people": "Autumn"])
        try await browser.click("dialog button[type=submit]")
        try await closed(browser)
        try await visit.settle("the new name")
        let changed = try #require(try await shop.app.registry.campaign("autumn", ofApp: shop.app.app.id))
        #expect(changed.name == "Autumn" && changed.goalActions == ["book"] && changed.variants.count == 1)

        try await press(browser, "Retire sale", in: "[aria-labelledby=declared-categories]")
        #expect(try await browser.text("dialog h2") == "Retire sale?")
        try await browser.click("dialog button[type=button]")
        try await closed(browser)
        #expect(try await shop.app.registry.categories(ofApp: shop.app.app.id).count == 1)
        try await press(browser, "Retire sale", in: "[aria-labelledby=declared-categories]")
        try await browser.click("dialog .danger")
        try await closed(browser)
        #expect(try await shop.app.registry.categories(ofApp: shop.app.app.id).isEmpty)
        try await visit.expectQuiet(allowing: [400])
        await shop.collector.stop()
    }

    @Test func `a new campaign needs an id that no campaign has, not even an archived one`() async throws {
        let shop = try await DashboardFixture(filled: false)
        let client = TestClient(url: shop.collector.url)
        for (id, body) in [("autumn", #"{"name":"Autumn sale"}"#), ("summer", #"{"archived":true}"#)] {
            #expect(try await client.put("/v1/campaigns/\(id)", Data(body.utf8), key: shop.manageKey).status == 200)
        }
        let visit = try await BrowserVisit(shop.collector.url, session: shop.session(key: shop.manageKey))
        let browser = visit.browser
        try await visit.open("/declare")
        try await press(browser, "New campaign", in: "[aria-labelledby=declared-campaigns]")
        for (id, error) in [
            ("", "“Id” is missing."), ("autumn", "The campaign autumn is declared already."),
            ("summer", "The campaign summer is declared already, and archived."),
        ] {
            try await fill(browser, ["Id, as payloads carry it": id])
            try await browser.click("dialog button[type=submit]")
            try await browser.wait(
                for: error, until: "document.querySelector('dialog .error').innerText === \(Browser.literal(error))")
        }
        let autumn = try #require(try await shop.app.registry.campaign("autumn", ofApp: shop.app.app.id))
        let summer = try #require(try await shop.app.registry.campaign("summer", ofApp: shop.app.app.id))
        #expect(autumn.name == "Autumn sale" && summer.isArchived)
        try await fill(browser, ["Id, as payloads carry it": "winter"])
        try await browser.click("dialog button[type=submit]")
        try await closed(browser)
        #expect(try await shop.app.registry.campaign("winter", ofApp: shop.app.app.id) != nil)
        try await visit.settle("the campaign")
        try await visit.expectQuiet()
        await shop.collector.stop()
    }

    @Test func `a new key is shown once, and revoking one asks once`() async throws {
        let shop = try await DashboardFixture(filled: false)
        let client = TestClient(url: shop.collector.url)
        let visit = try await BrowserVisit(shop.collector.url, session: shop.session(key: shop.manageKey))
        let browser = visit.browser
        try await visit.open("/declare")
        let before = try await cells(browser, "keys").count
        try await press(browser, "New key", in: "[aria-labelledby=keys]")
        try await fill(browser, ["Scope": "read"])
        try await browser.click("dialog button[type=submit]")
        try await browser.wait(for: "the key", until: "document.querySelector('.new-key')")
        let key: String = try await browser.evaluate("document.querySelector('.new-key').value")
        #expect(key.hasPrefix("ap_read_"))
        #expect(try await client.get("/v1/reports", key: key).status == 200)
        try await press(browser, "Done", in: "dialog")
        try await closed(browser)
        try await visit.settle("the keys")
        #expect(try await browser.evaluate("document.documentElement.outerHTML.includes('\(key)')") == false)
        #expect(try await cells(browser, "keys").count == before + 1)

        let number = try #require(try await shop.app.registry.keys(ofApp: shop.app.app.id).last?.number)
        try await press(browser, "Revoke key \(number)", in: "[aria-labelledby=keys]")
        // The safe button has the focus: Enter alone revokes nothing.
        #expect(try await browser.evaluate("document.activeElement.innerText") == "Cancel")
        try await browser.press(.enter)
        try await closed(browser)
        #expect(try await client.get("/v1/reports", key: key).status == 200)
        try await press(browser, "Revoke key \(number)", in: "[aria-labelledby=keys]")
        try await browser.click("dialog .danger")
        try await closed(browser)
        try await shop.app.waitUntil("it is revoked") { try await client.get("/v1/reports", key: key).status == 401 }
        try await visit.settle("the revoked key")
        #expect(try await cells(browser, "keys").last?[4].hasPrefix("revoked") == true)
        try await visit.expectQuiet()
        await shop.collector.stop()
    }

    @Test func `a read key sees the declarations, and no way to change them`() async throws {
        let visit = try await visit()
        let browser = visit.browser
        try await visit.open("/declare")
        try await browser.wait(
            for: "the note", until: "document.querySelector('.page-head').innerText.includes('read key')")
        #expect(try await cells(browser, "declared-campaigns").contains { $0[0] == "Autumn sale autumn" })
        #expect(try await browser.text("[aria-labelledby=keys]").contains("Only a session with a manage key"))
        #expect(try await browser.texts("main .panel button.primary, main .small-button").isEmpty)
        try await visit.expectQuiet()
    }
}
