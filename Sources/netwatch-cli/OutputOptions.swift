#if Service
import ArgumentParser

/// What is written: the option that every command which tells the state has.
struct OutputOptions: ParsableArguments {
    @Flag(help: "Write JSON: one object a line.")
    var json = false
}
#endif
