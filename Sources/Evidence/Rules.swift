internal import EventLoop

/// The model's numbers, each with its reason.
enum Rules {
    /// An answer is late after four times what is usual, and never before this.
    static let leastLateness = Duration.milliseconds(500)
    static let latenessFactor = 4
    /// When a host is late that was never heard.
    static let unknownLateness = Duration.seconds(1)
    /// Of how many later SYNs an answer is recognized: the kernel sends the first four a second apart.
    static let mostRetries = 4
    /// How often a kernel sends a SYN before a time-out, at least: at once, and after 1, 3, 7 and 15 s (tcp(7),
    /// tcp_syn_retries). From 6.5 on it is sooner (tcp_syn_linear_timeouts).
    static func tries(within timeout: Duration) -> Int { 1 + [1, 3, 7, 15].count { .seconds($0) < timeout } }
    /// How long a round waits: the kernel's second SYN, at 1 s, is in it.
    static let round = Duration.milliseconds(1600)
    /// When a round asks its second five, and asks those again that it was told of: routes flap.
    static let secondRow = Duration.milliseconds(500)
    /// Hosts that are asked at one time.
    static let row = 5
    /// A round's questions leave this far apart, so that no single moment of loss takes them all.
    static let stagger = Duration.milliseconds(35)
    /// How many misses are kept of a target that is down after fewer.
    static let misses = 40
    /// Misses count towards `fall` where they were sent this far apart.
    static let apart = Duration.seconds(1)
    /// How long nothing is told of an answer that contradicts the others.
    static let contradiction = Duration.milliseconds(700)
    /// When a dead way is asked again; the last goes on.
    static let rotation: [Duration] = [.seconds(1), .seconds(2), .seconds(4), .seconds(5)]
    /// How often a name that alone is not found is asked for in that time; then ever more seldom.
    static let namedOften = 14
    /// How many hosts of a dead way are asked before it is one a step.
    static let rotated = 50
    /// Something is to be heard over each active way this often.
    static let gap = Duration.seconds(10)
    /// The same of a way that loses packets, which is to be told soon after it ends.
    static let lossyGap = Duration.seconds(5)
    /// How long a way is slow after answers came too late over it.
    static let slow = Duration.seconds(60)
    static let meteredGap = Duration.seconds(60)
    /// How often after an outage, and for how long: outages come in series, and one of five seconds fits between two questions
    /// that are further apart.
    static let watchfulGap = Duration.seconds(2)
    static let watchful = Duration.seconds(60)
    /// For how many intervals traffic may stand in for a reference: then it is asked once, whatever traffic shows.
    static let mostPutOff = 10
    static let longestPutOff = Duration.seconds(1800)
    /// How old what traffic shows may be to stand in for a reference that is asked more seldom.
    static let mostSilence = Duration.seconds(60)
    /// At how many hosts a target is remembered to have been asked: as many as addresses of one name are.
    static let hostsOfTarget = 16
    /// How many hosts are remembered that belong to no target, and how many ways.
    static let unowned = 256
    static let ways = 32
    /// How often a portal is looked at.
    static let portal = Duration.seconds(10)
    /// After how many looks at a portal that a reference has shown another one is asked as well.
    static let sureLooks = 3
    /// How often a portal is looked for in the place of a target that is known to send elsewhere itself.
    static let portalRecheck = Duration.seconds(60)
    /// Nothing was looked at for so long: what is under way says nothing.
    static let absence = Duration.seconds(10)
    /// More targets of the same blame are told this often.
    static let batch = Duration.seconds(5)
    /// How long a verdict waits for targets that were not heard yet.
    static let patience = Duration.seconds(6)
    /// How long it waits, the first time, for one that is late before all is called well.
    static let longestPatience = Duration.seconds(30)
    /// How long one that is decided waits for the rest of those that answer, so that all are one event.
    static let settling = Duration.milliseconds(700)
    /// How long a verdict waits for others that are asked after one could not be sent anything: a busy host is long in asking.
    static let muting = Duration.seconds(4)
    /// How many targets are asked at once when all are to be.
    static let sweepBurst = 32
    /// How long each of the others waits for the one before.
    static let sweepPause = Duration.milliseconds(2)
    /// A miss is held against a target where loss alone would bring as many with a chance below this.
    static let chance = 1e-4
    /// More changes of the verdict than this in this time are flapping, which ends after a while without.
    static let flaps = 4
    static let flapWindow = Duration.seconds(30)
    static let flapQuiet = Duration.seconds(6)
}

extension MonotonicTime {
    static func + (time: MonotonicTime, duration: Duration) -> MonotonicTime { time.advanced(by: duration) }
    static func - (later: MonotonicTime, earlier: MonotonicTime) -> Duration { earlier.duration(to: later) }
}

extension Duration {
    /// In seconds.
    var seconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}
