import Instruments

/// The version of this program.
enum ProgramVersion: String, Label {
    case current = "0.1.0"

    static let labelName = "version"
}
