internal import EventLoop
internal import NetworkAddress

/// What is known of one host: when it was heard, how long it takes, whether it is down.
struct HostState: Sendable {
    let address: IPAddress
    let way: Int
    /// The latest sending time of an exchange with it that was heard.
    private(set) var heard: MonotonicTime?
    var usual = Usual()
    /// It has missed so often, while others by its way were heard, that what it does is no news.
    var isDown = false
    /// Whether it was ever asked for a word, whatever for, and whether it had one.
    var (wasTouched, hasAnsweredTouch) = (false, false)
    /// The targets at it.
    var targets: [Int] = []
    /// When the latest misses were sent that may turn out to be lost packets.
    private var missed: [MonotonicTime] = []

    init(address: IPAddress, way: Int) {
        self.address = address
        self.way = way
    }

    /// Notes a word of it.
    ///
    /// - Returns: When those of the misses just before were sent that were lost packets, as it turns out.
    mutating func hear(sentAt: MonotonicTime, at now: MonotonicTime) -> [MonotonicTime] {
        heard = max(heard ?? sentAt, sentAt)
        isDown = false
        defer { missed = [] }
        return missed.filter { $0 + .seconds(12) > now }
    }

    /// How many there are.
    var misses: Int { missed.count }

    mutating func miss(sentAt: MonotonicTime) {
        if !isDown, missed.count < 3 { missed.append(sentAt) }
    }

    /// What it has missed was not lost by chance.
    mutating func forgive() { missed = [] }
}
