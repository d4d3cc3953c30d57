internal import Connectivity

/// Something that a worker is to ask.
enum ProbeOrder: Sendable, Identifiable {
    case probe(Probe)
    case touch(Touch)
    case name(NameQuestion)

    var id: Probe.ID {
        switch self {
        case .probe(let probe): probe.id
        case .touch(let touch): touch.id
        case .name(let question): question.id
        }
    }
}
