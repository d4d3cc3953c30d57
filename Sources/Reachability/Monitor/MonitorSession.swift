import EventLoop
import Glibc
import Netlink
import NetworkAddress

/// What a monitor holds between its start and its stop: the sockets, what is known, and what is due next.
///
/// It belongs to the monitor's actor and is touched on its loop's thread only.
final class MonitorSession {
    var reducer: PathReducer
    var recorder: TraceRecorder

    let oracle: KernelOracle
    let carriers: CarrierOracle
    let inspector: DeviceInspector
    var survey: WaySurvey
    var notifications: NotificationSocket
    /// Nil where there is no Wi-Fi.
    var wirelessNews: WirelessNotificationSocket?
    /// Whether there is a Wi-Fi device whose driver may have come after that was opened, or come again.
    var isWirelessOutdated = false
    var nameServers: NameServerFiles
    /// Whether the files could not be read the last time, for want of descriptors or memory: those known before stand.
    var areNameServersUnread = false
    var resumeClock: ResumeClock
    var watches: [Watch] = []
    /// The one of them that waits for the kernel's news, and the one for that of Wi-Fi.
    var newsWatch: Watch?
    var wirelessWatch: Watch?
    /// Whether the latest reading has found any.
    var hadNews = false

    /// The links that the latest path lists.
    private(set) var listed: Set<UInt32> = []
    /// Those that a usable way leaves by, and what lies under them.
    private(set) var carrying: Set<UInt32> = []
    /// What the drivers were asked the last time.
    var question: CarrierQuestion?
    /// How many questions have been put to them.
    var questions: UInt64 = 0
    var isAskingSpeeds = false
    /// The links whose speed may be another one than is known.
    var staleSpeeds: Set<UInt32> = []
    /// Whether anything that has changed since the kernel was asked may be about the path, and not about other links only.
    private(set) var isPressed = true
    var pace = EvaluationPace()
    var repair = Repair()

    /// Whether the whole state has been read.
    private(set) var isComplete = false
    /// The kernel's queue of news, in bytes as it came out.
    var receiveBufferSize: Int { notifications.receiveBufferSize }

    /// How many messages the kernel has dropped since this session began.
    var droppedMessages: UInt64 { droppedBefore + UInt64(max(notifications.receiveQueue.droppedMessages, 0)) }

    /// Where the packets were to go that the latest evaluation has asked about.
    private var lookedUp: [IPAddress] = []

    private let wantedBufferSize: Int
    private var droppedBefore: UInt64 = 0
    /// When everything is looked at next; nil where nothing has changed.
    private(set) var nextEvaluation: MonotonicTime?
    private(set) var evaluationTimer: LoopTimer?
    private var expiryTimer: LoopTimer?
    /// Whether a route in use expires, or has: until it is collected, an advertisement revives it without a message.
    private var hasExpiring = false
    private var surveyTimer: LoopTimer?
    /// Set while something that was refused for want of descriptors or memory waits to be tried again.
    var retryTimer: LoopTimer?
    private static let retryDelay = Duration.seconds(1)
    /// Set while the kernel's news gathers unread.
    private var gatheringTimer: LoopTimer?

    init(_ configuration: PathMonitor.Configuration) throws(NetlinkError) {
        reducer = PathReducer(configuration.question)
        recorder = TraceRecorder(configuration.recorder)
        // Listening comes first, so that nothing falls between the dump and the news.
        wantedBufferSize = configuration.receiveBufferSize
        notifications = try Self.listen(wantedBufferSize, about: Set(configuration.destinations))
        oracle = try KernelOracle()
        carriers = try CarrierOracle(pollInterval: configuration.carrierPollInterval)
        inspector = try DeviceInspector()
        survey = try WaySurvey(configuration.question)
        wirelessNews = Self.wirelessNews()
        nameServers = NameServerFiles(path: configuration.resolverConfiguration)
        resumeClock = try ResumeClock()
        recorder.record(.start(configuration.question), at: .now)
        _ = ask(about: configuration.others)
    }

    /// Asks about other places besides where there is no way out.
    ///
    /// - Returns: Whether they are others than before.
    func ask(about others: [IPAddress]?) -> Bool {
        guard others != reducer.others else { return false }
        recorder.record(.others(others), at: .now)
        reducer.others = others
        return true
    }

    private static func listen(
        _ receiveBufferSize: Int, about destinations: Set<IPAddress>
    ) throws(NetlinkError) -> NotificationSocket {
        var socket = try NotificationSocket(
            groups: .all.union(.neighbourDiscoveryOption), receiveBufferSize: receiveBufferSize)
        try socket.attach(RouteFilter(destinations: destinations))
        return socket
    }

    /// A sandbox that refuses generic netlink has no Wi-Fi to tell of.
    static func wirelessNews() -> WirelessNotificationSocket? {
        do throws(NetlinkError) { return try WirelessNotificationSocket() } catch { return nil }
    }

    /// Stops listening to a socket that has failed; otherwise it would be ready to fail for ever.
    func close(on loop: EventLoop) {
        for watch in watches { loop.end(watch) }
        watches = []
        (newsWatch, wirelessWatch) = (nil, nil)
        if let gatheringTimer { loop.cancel(gatheringTimer) }
        gatheringTimer = nil
        repair.isDrained = true
    }

    /// Listens with a new socket.
    func reopen() throws(NetlinkError) {
        droppedBefore = droppedMessages
        notifications = try Self.listen(wantedBufferSize, about: reducer.watched)
    }

    // MARK: The state and the path

    /// Reads the whole state.
    ///
    /// - Returns: Whether changes interrupted the dump again and again.
    func read(because cause: ResyncCause?) throws(NetlinkError) -> Bool {
        let (snapshot, wasInterrupted) = try oracle.snapshot()
        recorder.record(.snapshot(snapshot, cause), at: .now)
        reducer.replace(with: snapshot, because: cause)
        isComplete = true
        isPressed = true
        learnAll(because: cause)
        survey.need(reducer.possibleWays)
        return wasInterrupted
    }

    /// Takes a message of the kernel's.
    ///
    /// - Returns: Whether it can change the path.
    func apply(_ notification: NetlinkNotification, at now: MonotonicTime) -> Bool {
        recorder.record(.told(notification), at: now)
        if case .link(_, let link) = notification { question?.note(newsOf: link.index) }
        guard let change = reducer.apply(notification, at: now) else { return isReminder(notification) }
        isPressed = isPressed || !isAboutOtherLink(change)
        learn(from: change)
        survey(because: change)
        return true
    }

    /// Whether a message that changes nothing by itself is a reason to look again: one of a link in use, which may tell of
    /// something that is not read here; and a router's advertisement where a route expires, or has, whose lifetime it
    /// may have changed without another message.
    private func isReminder(_ notification: NetlinkNotification) -> Bool {
        switch notification {
        case .link(.new, let link): link.family == 0 && !link.isWirelessEvent && listed.contains(link.index)
        case .address(.new, let address): hasExpiring && address.address.family == .ipv6
        case .userOption: hasExpiring
        default: false
        }
    }

    /// Notes that messages were lost.
    func noteLoss() {
        recorder.record(.lost, at: .now)
        reducer.noteLoss()
    }

    /// Notes that all has been looked at since the last message.
    func noteQuiet() {
        guard reducer.isResynced, repair.pending == nil else { return }
        recorder.record(.quiet, at: .now)
        reducer.noteQuiet()
    }

    /// Notes a change of the surroundings.
    func note(_ change: StateChange) {
        let now = MonotonicTime.now
        recorder.record(.noted(change), at: now)
        reducer.note(change, at: now)
    }

    /// Derives the path from what is known and from what the kernel answers now.
    func derive() throws(NetlinkError) -> DerivedPath {
        learnWireGuards()
        let derived = try ask()
        // The far end of a new tunnel: news of routes to it must come before it is looked up.
        return try watch(oracle.answers.destinations) ? ask() : derived
    }

    private func ask() throws(NetlinkError) -> DerivedPath {
        oracle.beginEvaluation(mayHaveIPv6: listed.isEmpty || listed.contains(where: reducer.state.hasOwnIPv6))
        let derived = try reducer.derive(oracle)
        isPressed = false
        list(derived)
        return derived
    }

    /// Whether a change is about nothing but a link that the path does not list: a container's, most likely.
    private func isAboutOtherLink(_ change: StateChange) -> Bool {
        switch change.event {
        // A rule may pass over routes by a group of links.
        case .told(.link(_, let link)):
            !listed.contains(link.index) && change.previous.map { $0.group == link.group } ?? true
        case .told(.address(_, let address)): !listed.contains(address.index)
        // Those of all links have negative numbers.
        case .told(.netconf(_, let netconf)):
            netconf.index.map { $0 <= Int32.max && !listed.contains($0) } ?? false
        case .told, .asked, .nameServers, .wireless: false
        }
    }

    private func list(_ derived: DerivedPath) {
        listed = Set(derived.path.interfaces.map(\.index))
        carrying = derived.carrying
    }

    /// Has the kernel tell of no other routes than those that could answer for these destinations.
    ///
    /// - Returns: Whether there were new ones.
    private func watch(_ destinations: [IPAddress]) throws(NetlinkError) -> Bool {
        // In the same order nearly always.
        guard destinations != lookedUp else { return false }
        let wanted = Set(destinations)
        let isNew = !wanted.isSubset(of: reducer.watched)
        if wanted != reducer.watched {
            try notifications.attach(RouteFilter(destinations: wanted))
            recorder.record(.watching(wanted), at: .now)
        }
        reducer.watched = wanted
        lookedUp = destinations
        return isNew
    }

    /// Takes a path for the present one; nil where it is that already.
    func conclude(_ path: Path, at now: MonotonicTime) -> PathUpdate? {
        recorder.record(reducer.surroundings, at: now)
        recorder.record(.concluded(oracle.answers.exchanges), at: now)
        return reducer.conclude(path, at: now)
    }

    // MARK: Time

    /// Whether nothing is left to read, to repair or to look at.
    var isSettled: Bool {
        var descriptor = pollfd(fd: notifications.descriptor, events: Int16(POLLIN), revents: 0)
        let isAsking = !carriers.isSettled || isAskingSpeeds || !survey.pending.isEmpty
        return unsafe evaluationTimer == nil && repair.pending == nil && !isAsking && poll(&descriptor, 1, 0) == 0
    }

    /// Replaces the time of the next evaluation, of which there is one at most.
    func schedule(at time: MonotonicTime?, on loop: EventLoop, _ handler: @escaping @Sendable () -> Void) {
        if let evaluationTimer { loop.cancel(evaluationTimer) }
        evaluationTimer = time.map { loop.schedule(at: $0, handler: handler) }
        nextEvaluation = time
    }

    /// Replaces the time at which the first of the routes in use expires.
    func scheduleExpiry(at time: MonotonicTime?, on loop: EventLoop, _ handler: @escaping @Sendable () -> Void) {
        if let expiryTimer { loop.cancel(expiryTimer) }
        expiryTimer = time.map { loop.schedule(at: $0, handler: handler) }
        hasExpiring = hasExpiring || time != nil
    }

    /// Sets the time at which links are asked about, unless it is set.
    func scheduleSurvey(on loop: EventLoop, _ handler: @escaping @Sendable () -> Void) {
        guard surveyTimer == nil, !survey.pending.isEmpty else { return }
        surveyTimer = loop.schedule(after: WaySurvey.delay, handler: handler)
    }

    /// Asks about some of the links by which there may be a way; about all where no change waits to be told.
    ///
    /// - Returns: Whether there are others than there were.
    func surveyWays(all: Bool = false) -> Bool {
        surveyTimer = nil
        guard !survey.pending.isEmpty || reducer.surroundings.ways == nil else { return false }
        let before = reducer.surroundings.ways ?? []
        var ways = before
        survey.ask(&ways, of: reducer.possibleWays, all: all)
        guard ways != before || reducer.surroundings.ways == nil else { return false }
        reducer.surroundings.ways = ways
        return true
    }

    /// Sets the time at which what was refused for want of descriptors or memory is tried again, unless it is set.
    func scheduleRetry(on loop: EventLoop, _ handler: @escaping @Sendable () -> Void) {
        guard retryTimer == nil else { return }
        retryTimer = loop.schedule(after: Self.retryDelay, handler: handler)
    }

    private func survey(because change: StateChange) {
        switch WaySurvey.Need(change) {
        case .nothing: break
        case .link(let index): survey.need(index)
        case .all: survey.need(reducer.possibleWays)
        case .routes(let change, let indexes):
            for index in indexes where change == .deleted || reducer.surroundings.ways?.contains(index) == false {
                survey.need(index)
                if change == .new, reducer.possibleWays.contains(index) { reducer.surroundings.ways?.insert(index) }
            }
        }
    }

    /// Lets the kernel's news gather until it is read at that time; where that is nil, it is read as it comes.
    func gather(
        until time: MonotonicTime?, on loop: EventLoop, _ handler: @escaping @Sendable () -> Void
    ) throws(EventLoopError) {
        let wasGathering = gatheringTimer != nil
        guard wasGathering || time != nil, let newsWatch else { return }
        if let gatheringTimer { loop.cancel(gatheringTimer) }
        gatheringTimer = time.map { loop.schedule(at: $0, handler: handler) }
        if wasGathering != (time != nil) { try loop.update(newsWatch, interest: time == nil ? .readable : []) }
    }

    func end(on loop: EventLoop) {
        close(on: loop)
        carriers.end()
        for timer in [evaluationTimer, expiryTimer, surveyTimer, retryTimer].compactMap(\.self) { loop.cancel(timer) }
        (evaluationTimer, expiryTimer, surveyTimer, retryTimer) = (nil, nil, nil, nil)
        nextEvaluation = nil
        question = nil
    }
}
