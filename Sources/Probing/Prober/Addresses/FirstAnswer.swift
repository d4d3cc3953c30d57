internal import Connectivity
internal import EventLoop
internal import NetworkAddress

/// The addresses of a name, one after the other.
enum FirstAnswer {
    /// Asks one address of a name after the other until one answers, and tells what the last one that was asked did.
    ///
    /// As with libcurl, each has half of the time that is left while there are more to come.
    static func result(
        of addresses: [IPAddress], within timeout: Duration, _ ask: (IPAddress, Duration) async -> ProbeResult
    ) async -> ProbeResult {
        let deadline = MonotonicTime.now.advanced(by: timeout)
        var result = await ask(addresses[0], addresses.count > 1 ? timeout / 2 : timeout)
        for (place, address) in addresses.enumerated().dropFirst() where result.isWithoutAnswer {
            let left = MonotonicTime.now.duration(to: deadline)
            guard left > .zero else { break }
            result = await ask(address, place == addresses.count - 1 ? left : left / 2)
        }
        return result
    }
}
