import Foundation
import PackagePlugin

/// Makes the files of a target that are not sources available to its code, as texts of the enum `PackageText`.
///
/// SwiftPM's own `.embedInCode` writes a file as an array of numbers. For all of `sql`, the compiler needs a minute and
/// more than a gigabyte for that, after every change; for string literals it needs seconds. The same holds for the
/// dashboard, which would take half a minute, and for the description of the routes.
@main struct EmbedText: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let files = (target.sourceModule?.sourceFiles).map { $0.filter { $0.type == .unknown }.map(\.url) } ?? []
        let paths = files.sorted { $0.path < $1.path }
        let output = context.pluginWorkDirectoryURL.appending(path: "PackageText.swift")
        return [
            .buildCommand(
                displayName: "Embedding \(paths.count) files of \(target.name)",
                executable: try context.tool(named: "EmbedTextTool").url,
                arguments: [output.path] + paths.map(\.path),
                inputFiles: paths,
                outputFiles: [output]
            )
        ]
    }
}
