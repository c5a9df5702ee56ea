import AfterpushWire
import Backoff
import Crypto
package import Foundation

/// A message on its way to one destination.
package struct OutgoingMessage: Sendable {
    package let id: UUID
    package let subject: String
    package let body: String
    /// The secret that signs webhooks.
    package let secret: [UInt8]

    package init(id: UUID, subject: String, body: String, secret: [UInt8]) {
        (self.id, self.subject, self.body, self.secret) = (id, subject, body, secret)
    }

    /// The signature of a webhook: `t` is the time of the attempt, `v1` the HMAC-SHA-256 of time, a dot and the body.
    package func signature(at seconds: Int64) -> String {
        let signed = Data("\(seconds).\(body)".utf8)
        let code = HMAC<SHA256>.authenticationCode(for: signed, using: SymmetricKey(data: secret))
        return "t=\(seconds),v1=\(code.map { String(format: "%02x", $0) }.joined())"
    }

    /// The message as a mail. Its text is in base64, so that no line of it can end the mail or its header.
    func mail(from sender: String, to recipient: String, at date: Date) -> [UInt8] {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = .gmt
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss '+0000'"
        let host = sender.split(separator: "@").last ?? "localhost"
        let lines =
            [
                "From: \(sender)", "To: \(recipient)", "Subject: \(Self.encodedWords(subject))",
                "Date: \(formatter.string(from: date))", "Message-ID: <\(id.uuidString.lowercased())@\(host)>",
                "MIME-Version: 1.0", "Content-Type: text/plain; charset=utf-8", "Content-Transfer-Encoding: base64",
                "Auto-Submitted: auto-generated", "",
            ] + Self.lines(ofBase64: Data((body + "\n").utf8).base64EncodedString())
        return Array((lines.joined(separator: "\r\n") + "\r\n").utf8)
    }

    private static func lines(ofBase64 text: String) -> [String] {
        let bytes = Array(text.utf8)
        return stride(from: 0, to: bytes.count, by: 76).map {
            String(decoding: bytes[$0..<min($0 + 76, bytes.count)], as: UTF8.self)
        }
    }

    /// The encoded words of RFC 2047, of at most 75 characters, none of which splits a character.
    private static func encodedWords(_ text: String) -> String {
        var words: [String] = []
        var word = ""
        for character in text.unicodeScalars.prefix(200) {
            if word.utf8.count + UTF8.width(character) > 42 {
                words.append(word)
                word = ""
            }
            word.unicodeScalars.append(character)
        }
        words.append(word)
        return words.map { "=?utf-8?B?\(Data($0.utf8).base64EncodedString())?=" }.joined(separator: "\r\n ")
    }
}

extension UTF8 {
    fileprivate static func width(_ scalar: Unicode.Scalar) -> Int { String(scalar).utf8.count }
}

/// The result of one attempt to deliver a message.
package enum DeliveryResult: Sendable, Equatable {
    case delivered
    /// The destination answered 410 (Gone), so no more messages are sent to it.
    case gone
    case failed(String)
}

/// What becomes of a message after an attempt.
struct AttemptEnd: Sendable, Equatable {
    enum Outcome: String, Sendable {
        case delivered
        case gaveUp = "gave_up"
        case destinationDisabled = "destination_disabled"
    }

    /// How delivery ended, or nil to try again.
    let outcome: Outcome?
    /// Seconds until the next attempt.
    let pause: Double
    let problem: String?

    /// The pauses between attempts: from 5 seconds to an hour.
    private static let backoff = ExponentialBackoff(first: 5, limit: 3_600, jitter: 0.2)
    /// The age of a message after which no attempt follows.
    static let longestAge: Duration = .seconds(3 * 86_400)

    /// Decides what follows from a result.
    ///
    /// - Parameters:
    ///   - attempts: The number of attempts so far.
    ///   - age: How long ago the message was put into the outbox.
    init(_ result: DeliveryResult, attempts: Int, age: Duration, random: Double) {
        switch result {
        case .delivered: (outcome, pause, problem) = (.delivered, 0, nil)
        case .gone: (outcome, pause, problem) = (.destinationDisabled, 0, "the destination answered 410")
        case .failed(let reason):
            outcome = age > Self.longestAge ? .gaveUp : nil
            pause = Self.backoff.pause(after: attempts, random: random)
            problem = reason
        }
    }
}
