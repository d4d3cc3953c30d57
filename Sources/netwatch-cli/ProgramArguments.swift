import CArguments

/// What the program was called with, its own name left out, also where there is no `/proc` to read it from.
enum ProgramArguments {
    static var all: [String] {
        (1..<max(1, netwatch_argument_count())).compactMap {
            unsafe netwatch_argument($0).map { unsafe String(cString: $0) }
        }
    }
}
