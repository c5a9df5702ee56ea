import Foundation
import PackagePlugin

/// Makes the `.sql` files of a target's folder available to its code, as texts of the enum `PackageText`.
///
/// SwiftPM's own `.embedInCode` writes a file as an array of numbers. For all of `sql`, the compiler needs a minute and
/// more than a gigabyte for that, after every change; for string literals it needs seconds.
@main struct EmbedText: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let folder = target.directoryURL
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".sql") && !$0.hasSuffix(".snapshot.sql") }
            .sorted()
        let output = context.pluginWorkDirectoryURL.appending(path: "PackageText.swift")
        return [
            .buildCommand(
                displayName: "Embedding \(paths.count) SQL files of \(target.name)",
                executable: try context.tool(named: "EmbedTextTool").url,
                arguments: [output.path] + paths.map { folder.appending(path: $0).path },
                inputFiles: paths.map { folder.appending(path: $0) },
                outputFiles: [output]
            )
        ]
    }
}
