/// The Swift compiler that built this program.
enum SwiftCompiler {
    /// The compiler's version.
    ///
    /// A program can only ask whether its compiler is at least some version. Add new versions at the top.
    static var version: String {
        #if compiler(>=6.5)
            "6.5 or newer"
        #elseif compiler(>=6.4.4)
            "6.4.4 or a later 6.4"
        #elseif compiler(>=6.4.3)
            "6.4.3"
        #elseif compiler(>=6.4.2)
            "6.4.2"
        #elseif compiler(>=6.4.1)
            "6.4.1"
        #elseif compiler(>=6.4)
            "6.4"
        #elseif compiler(>=6.3.4)
            "6.3.4 or a later 6.3"
        #elseif compiler(>=6.3.3)
            "6.3.3"
        #elseif compiler(>=6.3.2)
            "6.3.2"
        #elseif compiler(>=6.3.1)
            "6.3.1"
        #elseif compiler(>=6.3)
            "6.3"
        #elseif compiler(>=6.2.4)
            "6.2.4 or a later 6.2"
        #elseif compiler(>=6.2.3)
            "6.2.3"
        #elseif compiler(>=6.2.2)
            "6.2.2"
        #elseif compiler(>=6.2.1)
            "6.2.1"
        #else
            "6.2"
        #endif
    }
}
