import Foundation

/// The p values adjusted by Holm's method, in the given order: of m tests the smallest times m, the next times m - 1
/// and so on, never less than the previous one and at most 1. A nil element is not a test.
package func holm(_ values: [Double?]) -> [Double?] {
    let tests = values.indices.filter { values[$0] != nil }.sorted { (values[$0] ?? 0) < (values[$1] ?? 0) }
    var adjusted: [Double?] = values.map { _ in nil }
    var largest = 0.0
    for (rank, index) in tests.enumerated() {
        largest = max(largest, min(1, Double(tests.count - rank) * (values[index] ?? 1)))
        adjusted[index] = largest
    }
    return adjusted
}

/// The probability of a chi-square statistic at least that large, by the finite sums for integer degrees of freedom
/// (M. Abramowitz and I. Stegun, Handbook of Mathematical Functions, 26.4.4 and 26.4.5).
package func chiSquareSurvival(_ statistic: Double, degrees: Int) -> Double {
    let half = statistic / 2
    var sum = degrees % 2 == 0 ? exp(-half) : erfc(half.squareRoot())
    var term = degrees % 2 == 0 ? exp(-half) : exp(-half) * (half / Double.pi).squareRoot() * 2
    var exponent = degrees % 2 == 0 ? 1.0 : 1.5
    var index = degrees % 2 == 0 ? 2 : 1
    while index < degrees {
        if degrees % 2 == 0 {
            term *= half / exponent
            sum += term
        } else {
            sum += term
            term *= half / exponent
        }
        exponent += 1
        index += 2
    }
    return sum
}
