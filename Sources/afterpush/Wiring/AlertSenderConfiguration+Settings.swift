import Alerts
import ArgumentParser
import Foundation
import HTTPTransport

extension AlertSenderConfiguration {
    /// Returns the defaults, overridden by the settings.
    init(_ source: SettingsSource) throws {
        self.init()
        if let text = source["alerts.allow"] {
            do {
                allowed = try AddressList(text)
            } catch {
                throw ValidationError("alerts.allow: \(error.text) is neither an address nor a network")
            }
        }
        if let url = source["alerts.smtp.url"] {
            let parts = URLComponents(string: url)
            guard ["smtp", "smtps"].contains(parts?.scheme ?? ""), parts?.host?.isEmpty == false, parts?.user == nil
            else {
                throw ValidationError("alerts.smtp.url must be smtp://HOST:PORT or smtps://HOST:PORT, without a user")
            }
            mailServer = url
        }
        if let from = source["alerts.smtp.from"] {
            guard from.wholeMatch(of: /[^\s@<>,;"()]+@[^\s@<>,;"()]+/) != nil, from.utf8.allSatisfy({ $0 < 0x7F })
            else {
                throw ValidationError("alerts.smtp.from must be a mail address")
            }
            mailSender = from
        }
        mailUser = source["alerts.smtp.user"]
        mailPassword = source["alerts.smtp.password"]
        if let path = source["alerts.smtp.ca"] {
            guard FileManager.default.isReadableFile(atPath: path) else {
                throw ValidationError("alerts.smtp.ca: \(path) can't be read")
            }
            mailAuthorities = path
        }
    }
}
