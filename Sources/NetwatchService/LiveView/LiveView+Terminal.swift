extension LiveView {
    /// Whether there is a terminal that can show it: `TERM=dumb` and a pipe get plain lines.
    package static var isPossible: Bool {
        let kind = Environment.value("TERM")
        return StandardStreams.isOutputTerminal && kind != nil && kind != "dumb"
    }
}
