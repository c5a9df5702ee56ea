import Foundation

/// The quantile of 0.975 of Student's t distribution, for any degrees of freedom of at least 1.
///
/// With t = sqrt(df) tan(x), the density of x is that of cos(x)^(df - 1), whose integral has no singularity: Simpson's
/// rule, and Newton's method for the bound up to which it is 0.95 of the whole. Few degrees of freedom need more steps,
/// because their bound comes close to pi/2, where the integrand is steep.
package func studentQuantile(degrees df: Double) -> Double {
    // Of cos(x)^(df - 1) from 0 to pi/2.
    let whole = (Double.pi.squareRoot() / 2) * exp(lgamma(df / 2) - lgamma((df + 1) / 2))
    func integral(to bound: Double) -> Double {
        let steps = df < 10 ? 8000 : 400
        let width = bound / Double(steps)
        var sum = 0.0
        for step in 0...steps {
            let weight = step == 0 || step == steps ? 1.0 : step % 2 == 1 ? 4.0 : 2.0
            sum += weight * pow(cos(Double(step) * width), df - 1)
        }
        return sum * width / 3
    }
    var bound = atan(1.959963984540054 / df.squareRoot())
    for _ in 0..<100 {
        let step = (0.95 * whole - integral(to: bound)) / pow(cos(bound), df - 1)
        bound += step
        if abs(step) < 1e-15 { break }
    }
    return df.squareRoot() * tan(bound)
}
