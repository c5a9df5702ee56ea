import Foundation
import Testing

@testable import Storage

/// Tests what `doctor` says of a certificate at certain times before and after its end.
struct CertificateCheckTests {
    @Test(arguments: [
        (-0.1, CheckResult.Level.fail, "it expired on 1970-04-11"), (0.1, .warn, "it expires on 1970-04-11, in 0 days"),
        (1.5, .warn, "it expires on 1970-04-11, in 1 day"), (13.9, .warn, "it expires on 1970-04-11, in 13 days"),
        (14.1, .ok, "it is valid until 1970-04-11"),
    ])
    func `a certificate that expires soon, or has expired, is reported`(
        days: Double, level: CheckResult.Level, text: String
    ) {
        let end = Date(timeIntervalSince1970: 100 * 86_400)
        let result = CertificateChecks.finding(end: end, at: end - days * 86_400)
        #expect(result.level == level && result.finding == text, "\(result)")
        #expect((result.advice == nil) == (level == .ok))
    }
}
