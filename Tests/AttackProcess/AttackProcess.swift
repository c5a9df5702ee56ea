import Glibc

/// Attacks a collector until it is killed, and prints what it does once per second.
///
///     AttackProcess ATTACK PORT KEY BYTES_PER_SECOND [tls]
///
/// It is a process of its own with the lowest priority, so that others are slowed down by what the collector has to do,
/// and not by what the attacker has to do on the same machine.
@main enum AttackProcess {
    static func main() async throws {
        setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 19)
        let arguments = CommandLine.arguments
        guard arguments.count >= 5, let attack = StarvationAttack(rawValue: arguments[1]),
            let port = Int(arguments[2]), let rate = Double(arguments[4])
        else { exit(2) }
        let attacker = Attacker(port: port, isSecure: arguments.count == 6, key: arguments[3], rate: rate)
        let reporting = Task {
            while !Task.isCancelled {
                try await Task.sleep(for: .seconds(1))
                let line = await attacker.counts.line + "\n"
                _ = line.withCString { write(STDOUT_FILENO, $0, strlen($0)) }
            }
        }
        try await attack.run(attacker)
        reporting.cancel()
    }
}
