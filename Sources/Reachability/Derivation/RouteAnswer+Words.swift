import Netlink
import NetworkAddress

extension RouteAnswer {
    /// The answer as `ip route get` prints it, so that a doubter can compare.
    func kernelWords(to destination: IPAddress, _ table: LinkTable) -> String {
        switch self {
        case .noRoute: "RTNETLINK answers: Network is unreachable"
        case .rejected(.blackhole): "RTNETLINK answers: Invalid argument"
        case .rejected(.prohibit): "RTNETLINK answers: Permission denied"
        case .rejected: "RTNETLINK answers: No route to host"
        case .route(let match, let chosen): (chosen ?? match).words(destination, table)
        }
    }
}

extension RouteMessage {
    fileprivate func words(_ destination: IPAddress, _ table: LinkTable) -> String {
        let device = outputInterface.map(table.name)
        return String(unsafeUninitializedCapacity: 3 * IPAddress.longestText + 32 + (device?.utf8.count ?? 0)) { text in
            var words = Words(text: text)
            words.put(destination)
            if let gateway { put(gateway, besides: destination, in: &words) }
            if let device { words.put(" dev ", device) }
            if let preferredSource {
                words.put(" src ")
                words.put(preferredSource)
            }
            return words.count
        }
    }

    private func put(_ gateway: IPAddress, besides destination: IPAddress, in words: inout Words) {
        words.put(" via ")
        if gateway.family != destination.family { words.put(gateway.family == .ipv4 ? "inet " : "inet6 ") }
        words.put(gateway)
    }
}

/// Words put together where they are to be: they are part of each path.
private struct Words {
    let text: UnsafeMutableBufferPointer<UInt8>
    private(set) var count = 0

    init(text: UnsafeMutableBufferPointer<UInt8>) {
        self.text = text
    }

    mutating func put(_ address: IPAddress) {
        count += address.write(to: UnsafeMutableBufferPointer(rebasing: text[count...]))
    }

    mutating func put(_ word: StaticString) {
        put(UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
    }

    mutating func put(_ word: StaticString, _ name: String) {
        put(word)
        var name = name
        name.withUTF8 { put($0) }
    }

    private mutating func put(_ bytes: UnsafeBufferPointer<UInt8>) {
        _ = UnsafeMutableBufferPointer(rebasing: text[count...]).update(fromContentsOf: bytes)
        count += bytes.count
    }
}
