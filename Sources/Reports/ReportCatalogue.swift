import Foundation
import Glibc

/// The available reports: built-in reports and those in a team's own directory.
///
/// A file that can't be read is left out and named in `problems`; the other reports remain available.
package struct ReportCatalogue: Sendable {
    /// The reports in the order of their names.
    package let reports: [ReportDefinition]
    package let problems: [ReportError]

    /// Reads the reports.
    ///
    /// - Parameters:
    ///   - builtIn: The texts by report name, without `.sql`.
    ///   - directory: A directory that is read once, here; every `.sql` file directly in it is a report. A file with
    ///     the name of a built-in report is a problem, because one name can't mean two things.
    ///   - only: The only report to read, for a caller that runs no other.
    package init(builtIn: [String: String], directory: String? = nil, only: String? = nil) {
        var reports: [String: ReportDefinition] = [:]
        var problems: [ReportError] = []
        func add(_ name: String, isBuiltIn: Bool, _ read: () throws(ReportError) -> String) {
            guard only == nil || only == name else { return }
            do throws(ReportError) {
                let source = try read()
                guard reports[name] == nil else {
                    throw .file(name: name, line: 0, detail: "a built-in report has this name")
                }
                reports[name] = try ReportDefinition(name: name, source: source, isBuiltIn: isBuiltIn)
            } catch {
                problems.append(error)
            }
        }
        for (name, source) in builtIn.sorted(by: { $0.key < $1.key }) { add(name, isBuiltIn: true) { source } }
        if let directory {
            do throws(ReportError) {
                for name in try Self.names(in: directory) {
                    add(name, isBuiltIn: false) { () throws(ReportError) in try Self.read(name, in: directory) }
                }
            } catch {
                problems.append(error)
            }
        }
        self.reports = reports.values.sorted { $0.name < $1.name }
        self.problems = problems
    }

    package func report(named name: String) throws(ReportError) -> ReportDefinition {
        guard let report = reports.first(where: { $0.name == name }) else {
            throw .unknownReport(name: name, nearest: Suggestion.nearest(to: name, in: reports.map(\.name)))
        }
        return report
    }

    private static func names(in directory: String) throws(ReportError) -> [String] {
        do {
            let files = try FileManager.default.contentsOfDirectory(atPath: directory)
            return files.filter { $0.hasSuffix(".sql") && !$0.hasPrefix(".") }.map { String($0.dropLast(4)) }.sorted()
        } catch {
            throw .file(name: directory, line: 0, detail: "the directory can't be read")
        }
    }

    private static func read(_ name: String, in directory: String) throws(ReportError) -> String {
        let url = URL(filePath: directory, directoryHint: .isDirectory).appending(path: "\(name).sql")
        var status = stat()
        // Checking a file takes many times its size in memory.
        guard stat(url.path(percentEncoded: false), &status) != 0 || status.st_size <= 1 << 20 else {
            throw .file(name: name, line: 0, detail: "the file is larger than 1 MiB")
        }
        do {
            return try String(contentsOf: url, encoding: .utf8)
        } catch {
            throw .file(name: name, line: 0, detail: "the file can't be read as UTF-8 text")
        }
    }
}
