import ReferenceModel
import Testing

@Suite struct WilsonTests {
    /// The roots of (p - k/n)^2 = z^2 p (1 - p) / n, computed with 30 digits.
    @Test(arguments: [
        (0, 10, 0, 0.27753279986288920),
        (10, 10, 0.72246720013711080, 1),
        (0, 1, 0, 0.79345068562276257),
        (1, 1, 0.20654931437723743, 1),
        (1, 3, 0.06149194472039624, 0.79234039919795225),
        (7, 30, 0.11792388144489497, 0.40928326158122170),
        (15, 148, 0.06238639953073628, 0.16048724172330803),
        (50, 100, 0.40383153036599564, 0.59616846963400436),
    ])
    func `the interval is Wilson's score interval`(numerator: Int, denominator: Int, low: Double, high: Double) {
        let interval = Wilson(numerator, of: denominator)
        #expect(abs(interval.low - low) < 1e-14)
        #expect(abs(interval.high - high) < 1e-14)
        #expect(interval.low >= 0 && interval.high <= 1)
    }

    @Test func `a rate has its interval`() throws {
        let row = try row([event(.sent, "n1"), event(.sent, "n2"), event(.sent, "n3"), event(.opened, "n1")])
        #expect(row.rate("open_rate") == 1.0 / 3)
        #expect(abs((row.rate("open_rate_low") ?? 0) - 0.06149194472039624) < 1e-14)
        #expect(abs((row.rate("open_rate_high") ?? 0) - 0.79234039919795225) < 1e-14)
    }
}
