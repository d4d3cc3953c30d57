package import EventLoop
package import Evidence
internal import HeapModule
package import NetworkAddress

/// A small Internet in which the truth is known: hosts behind ways, with latency, loss by packet, the kernel's second SYN,
/// name servers, portals, tunnels and gateways that tell. It runs one ``Assessor`` and notes where that goes wrong.
package struct World {
    package internal(set) var now = MonotonicTime(nanoseconds: 1_000_000_000_000)
    package var lines: [Line] = []
    package var servers: [IPAddress: Server] = [:]
    package var nameServers: [IPAddress: NameServer] = [:]
    package var nameServerOrder: [IPAddress] = []
    package var addresses: [String: [IPAddress]] = [:]
    package var watched: [Watched] = []
    package var policy = Settings.Policy.all
    /// Whether this host has descriptors left, its clock is right, it is awake, there is any path.
    package var hasDescriptors = true
    package var isClockRight = true
    /// Whether the last plain answer was dated otherwise than this host's clock says.
    var isDatedOff = false
    package var isReachable = true
    /// Whether hosts have addresses of both families, and whatever becomes of the uplink becomes of both.
    package var hasBothFamilies = false
    package var truth = Truth.full
    package var report = Report()
    package var random: SplitMix64
    var isAsleep = false
    /// Whether it does so because its process is stopped.
    var isStopped = false
    /// What has come in the meantime, and waits for it to go on.
    var held: [Happening] = []
    /// Whether no built-in reference answers.
    var isClosedOff = false
    /// Whether packets may be lost in what happens by chance.
    var losesPackets = false
    var truthSince = MonotonicTime(nanoseconds: 0)
    var lastTruth = Truth.full
    var wrongSince: MonotonicTime?
    /// What the model said when it was last looked at: its revision, and whether it was right.
    var looked: (revision: UInt64, isRight: Bool)?
    var script: [(MonotonicTime, (inout World) -> Void)] = []
    var runs: [Ask.ID: Run] = [:]
    private var happenings = Heap<Entry>()
    private var number: UInt64 = 0
    private var model: Assessor?
    private var wake: MonotonicTime?
    private var planned: MonotonicTime?
    package let begin = MonotonicTime(nanoseconds: 1_000_000_000_000)
    private let seed: UInt64
    package var isTracing = false

    /// Something under way.
    struct Run {
        let ask: Ask
        let since: MonotonicTime
        var sentAt: [IPAddress: MonotonicTime] = [:]
        var missed: Set<IPAddress> = []
        var addresses: [IPAddress] = []
        var connected: IPAddress?
        var trips = 0
    }

    enum Happening {
        case script(Int)
        case wake
        case syn(Ask.ID, IPAddress, attempt: Int)
        case word(Ask.ID, IPAddress, isReset: Bool)
        case told(Ask.ID, IPAddress)
        case trip(Ask.ID, IPAddress, number: Int, attempt: Int)
        case back(Ask.ID, IPAddress, number: Int)
        case nameSent(Ask.ID, attempt: Int)
        case nameBack(Ask.ID, Answer)
        case fail(Ask.ID, Answer)
        case timeout(Ask.ID)
    }

    private struct Entry: Comparable {
        let time: MonotonicTime
        let number: UInt64
        let happening: Happening

        static func < (lhs: Entry, rhs: Entry) -> Bool { (lhs.time, lhs.number) < (rhs.time, rhs.number) }
        static func == (lhs: Entry, rhs: Entry) -> Bool { lhs.number == rhs.number }
    }

    package init(seed: UInt64) {
        self.seed = seed
        random = SplitMix64(seed: seed &* 0x2545_F491_4F6C_DD1D &+ 1)
    }

    // MARK: The script

    /// Has something happen so many seconds after the start.
    package mutating func at(_ seconds: Double, _ change: @escaping (inout World) -> Void) {
        script.append((begin.advanced(by: .seconds(seconds)), change))
    }

    /// The world is otherwise from now on.
    package mutating func become(_ new: Truth) {
        (lastTruth, truth, truthSince, wrongSince) = (truth, new, now, nil)
        looked = nil
        if now > begin { (report.causeAt, report.hasCause) = (now, true) }
        report.rightAt = nil
    }

    /// The kernel tells of another path.
    package mutating func tellNetwork() { send(.network(network)) }

    package mutating func send(_ input: Assessor.Input) {
        guard !isAsleep, let output = model?.reduce(input, at: now) else { return }
        for id in output.cancelled { runs[id] = nil }
        if let announcement = output.announcement { judge(announcement) }
        wake = output.wake
        if let wake, wake != planned {
            planned = wake
            add(.wake, at: max(wake, now))
        }
        for ask in output.asks { start(ask) }
    }

    package var network: Network {
        let courses = lines.filter(\.isRouted).map { line in
            Network.Course(
                line.way, reachesAll: line.reachesAll, below: line.below.map { [lines[$0].way.interface] } ?? [],
                isMetered: line.isMetered)
        }
        return Network(isReachable: isReachable, ways: isReachable ? courses : [], nameServers: nameServerOrder)
    }

    /// Runs so many seconds, after the first of which everything is as the situation made it.
    package mutating func run(_ seconds: Double) {
        var settings = Settings(targets: watched)
        settings.policy = policy
        model = Assessor(settings, at: now, seed: seed)
        truthSince = now
        for index in script.indices { add(.script(index), at: script[index].0) }
        tellNetwork()
        let end = begin.advanced(by: .seconds(seconds))
        while let first = happenings.min, first.time <= end {
            guard let entry = happenings.popMin() else { break }
            now = max(now, entry.time)
            perform(entry.happening)
            watch()
        }
        now = end
        watch()
        report.end(isRight: isRight)
    }

    func health(_ target: Int) -> Health? { model?.health(of: target) }
    var verdict: Verdict? { model?.verdict }
    var revision: UInt64 { model?.revision ?? 0 }

    mutating func add(_ happening: Happening, at time: MonotonicTime) {
        number += 1
        happenings.insert(Entry(time: time, number: number, happening: happening))
    }

    mutating func add(_ happening: Happening, after seconds: Double) {
        add(happening, at: now.advanced(by: .seconds(seconds)))
    }

    private mutating func perform(_ happening: Happening) {
        if hasBothFamilies { alignFamilies() }
        if case .script = happening {} else if isStopped { return held.append(happening) }
        switch happening {
        case .script(let index): script[index].1(&self)
        case .wake:
            guard let wake, wake <= now else { return }
            planned = nil
            send(.timer)
        case .syn(let id, let address, let attempt): sendSYN(id, address, attempt)
        case .word(let id, let address, let isReset): hearWord(id, address, isReset: isReset)
        case .told(let id, let address): tell(id, address)
        case .trip(let id, let address, let number, let attempt): sendTrip(id, address, number, attempt)
        case .back(let id, let address, let number): takeTrip(id, address, number)
        case .nameSent(let id, let attempt): sendName(id, attempt)
        case .nameBack(let id, let answer): takeName(id, answer)
        case .fail(let id, let answer): end(id, answer)
        case .timeout(let id): timeOut(id)
        }
    }

    /// This host sleeps: nothing comes in, nothing goes on, and then nothing is known.
    package mutating func sleep() { isAsleep = true }

    /// This process is stopped, and then goes on where it was, without being told.
    package mutating func stop() { (isAsleep, isStopped) = (true, true) }

    package mutating func go() {
        (isAsleep, isStopped) = (false, false)
        let late = held
        held = []
        for happening in late { perform(happening) }
        send(.timer)
    }

    package mutating func resume() {
        isAsleep = false
        runs = [:]
        send(.resumed)
    }
}
