import ArgumentParser

/// What is written: the option that every command which tells the state has.
struct OutputOptions: ParsableArguments {
    @Flag(name: .shortAndLong, help: "Write JSON: one object a line.")
    var json = false
}
