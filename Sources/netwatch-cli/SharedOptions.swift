/// A group of options that `netwatch` itself has, and a subcommand may have, too.
///
/// The parser hands such an option to `netwatch`, wherever it stands on the line: to a subcommand that does not have the group it
/// would be lost without a word.
enum SharedOptions: CaseIterable {
    case probes, way, trust, timeLimit, probeTimeout, output, quiet, listen

    /// Those of every command that probes.
    static let ofProbing: Set<SharedOptions> = [.probes, .way, .trust, .timeLimit, .probeTimeout]
}
