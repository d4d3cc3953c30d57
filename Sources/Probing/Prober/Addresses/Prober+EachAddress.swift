internal import Connectivity
internal import EventLoop
internal import NetworkAddress
internal import Reachability
internal import RequestEngine
internal import Resolver

/// A name with several addresses is as good as the one that a client happens to take: here each is asked.
extension Prober {
    /// Sends the probe to every address of its target's name, and joins what came of that.
    func resultOfEachAddress(_ probe: Probe, _ parts: URLParts) async -> ProbeResult {
        let start = MonotonicTime.now
        let found: [IPAddress]
        do throws(ResolverError) { found = try await allAddresses(parts, probe) } catch {
            let failure = ProbeFailure(error)
            let result = ProbeResult(probe, failure, after: start.duration(to: .now))
            return await exchanges.diagnose(result, probe, silent: await names.silentServers(failure, of: probe))
        }
        let resolved = start.duration(to: .now)
        var single = probe
        single.target.eachAddress = false
        single.timeout = max(probe.timeout - resolved, .milliseconds(1))
        let asked = Array(HappyEyeballs.order(usable(found, by: probe.interface)).prefix(Probe.mostAddresses))
        let results = await results(of: single, at: asked, width: probe.width ?? asked.count)
        guard var joined = Self.join(results) else {
            return ProbeResult(probe, .notOfFamily(parts.host), after: start.duration(to: .now))
        }
        joined.phaseNanoseconds[.resolve] = resolved.nanoseconds
        // Not until the last of them had ended: a dead one does not make the others slow.
        joined.durationNanoseconds += resolved.nanoseconds
        joined.delayNanoseconds = probe.due?.duration(to: start).nanoseconds
        joined.addressCount = found.count > asked.count ? found.count : nil
        return joined
    }

    private func allAddresses(_ parts: URLParts, _ probe: Probe) async throws(ResolverError) -> [IPAddress] {
        if let given = probe.addresses { return given.filter { probe.family == nil || probe.family == $0.family } }
        return try await names.lookUp(probe.firstHop(parts), probe)
    }

    /// Those of a family that has a way out, or one by the interface that was chosen: the others say nothing about the target.
    /// All, where none has.
    private func usable(_ addresses: [IPAddress], by interface: String?) -> [IPAddress] {
        let link = interface.flatMap(path.interface(named:))
        let usable = addresses.filter { address in link?[address.family].isUsable ?? path[address.family].isUsable }
        return usable.isEmpty ? addresses : usable
    }

    /// Asks each, so many at one time.
    private func results(
        of probe: Probe, at addresses: [IPAddress], width: Int
    ) async -> [(IPAddress, ProbeResult)] {
        await withTaskGroup(of: (Int, ProbeResult).self) { group in
            func ask(_ index: Int, _ address: IPAddress) {
                var one = probe
                // Where a redirect leads to the same host it is asked there, too.
                one.addresses = [address]
                group.addTask { [one] in (index, await self.result(of: one, at: [address])) }
            }
            var others = addresses.enumerated().dropFirst(max(width, 1)).makeIterator()
            for (index, address) in addresses.enumerated().prefix(max(width, 1)) {
                ask(index, address)
            }
            var results: [ProbeResult?] = addresses.map { _ in nil }
            for await (index, result) in group {
                results[index] = result
                guard let (index, address) = others.next() else { continue }
                ask(index, address)
            }
            return zip(addresses, results).compactMap { address, result in result.map { (address, $0) } }
        }
    }

    /// As the winner of the race did; where there is none, as the first did. Nil without an address.
    private static func join(_ results: [(IPAddress, ProbeResult)]) -> ProbeResult? {
        if let cancelled = results.first(where: { $0.1.outcome == .cancelled }) { return cancelled.1 }
        // An address that answers wrongly has lost, however fast: what counts is whether the name can be used at all.
        let raced = HappyEyeballs.race(
            results.map { address, result in
                var one = AddressResult(address, result)
                if one.isFailure { one.connectNanoseconds = nil }
                return one
            })
        let winner = raced.firstIndex(where: \.isWinner)
        let portal = results.firstIndex { $0.1.outcome == .portal }
        guard let index = winner ?? portal ?? results.indices.first else { return nil }
        var joined = results[index].1
        // Where a certificate could be held against nothing none was asked.
        let isUnasked = joined.reason == .certificateIssuer && joined.remoteAddress == nil
        if !isUnasked { joined.remoteAddress = results[index].0 }
        joined.addresses = raced
        return joined
    }
}
