internal import EventLoop
internal import Evidence
internal import NetworkAddress
internal import Reachability

internal import enum RequestEngine.Phase
internal import struct RequestEngine.Proxy

/// What goes to the assessors and what they want asked.
extension ConnectivityReducer {
    /// Hands an input to a lane's assessor, and sends what that asks.
    mutating func feed(_ input: Assessor.Input, to lane: Int, at now: Instant, _ output: inout Output) {
        var inputs = [input]
        while let next = inputs.popLast() {
            let found = lanes[lane].assessor.reduce(next, at: now.monotonic)
            if lanes[lane].takeVerdict() {
                news.wholeLanes.insert(lane)
                news.hasVerdict = true
            }
            lanes[lane].wake = found.wake
            output.cancelled += found.cancelled.map(lanes[lane].number)
            output.putOff += found.putOff
            if let absence = found.absence {
                news.absence = absence
                lanes[lane].forgetResults()
            }
            for ask in found.asks {
                // Answered without being sent: that may lead to more.
                if let answer = send(ask, of: lane, &output) { inputs.append(.ended(ask.id, answer)) }
            }
            noteNames(found, of: lane, at: now, &output)
            if let announcement = found.announcement { note(announcement, of: lane) }
        }
    }

    private mutating func note(_ announcement: Announcement, of lane: Int) {
        news.hasVerdict = true
        news.flaps = announcement.flaps ?? news.flaps
        if announcement.isWhole { news.wholeLanes.insert(lane) }
        let members = lanes[lane].members
        for change in announcement.changes where change.target < members.count {
            news.targets.insert(members[change.target])
        }
    }

    /// Sends a question.
    ///
    /// - Returns: Its answer where it cannot be sent.
    private func send(_ ask: Ask, of lane: Int, _ output: inout Output) -> Answer? {
        let (id, key) = (lanes[lane].number(ask.id), lanes[lane].key)
        switch ask.question {
        case .probe(let place, let addresses):
            if place == lanes[lane].members.count { return send(portalWitness, addresses, ask, id, key, &output) }
            guard place < lanes[lane].members.count else {
                guard let address = addresses.first else { return .inapplicable }
                // A witness is only asked for a word.
                let way = lanes[lane].network.ways.first { $0.reachesAll && $0.way.family == address.family }?.way
                guard let way else { return .noRoute }
                output.touches.append(
                    Touch(
                        id: id, host: Host(address: address, way: way), port: 443, isBound: isBound(way, key),
                        timeout: ask.timeout))
                return nil
            }
            return send(configuration.targets[lanes[lane].members[place]], addresses, ask, id, key, &output)
        case .touch(let host, let place):
            let target = place.flatMap { $0 < lanes[lane].members.count ? lanes[lane].members[$0] : nil }
                .map { configuration.targets[$0] }
            let isBelow = lanes[lane].network.ways.contains {
                $0.reachesAll && $0.below.contains(host.way.interface)
            }
            var touch = Touch(
                id: id, host: host, port: place == nil ? port(ofWitness: host, lane) : target?.port,
                isBound: isBelow || isBound(host.way, key), timeout: ask.timeout)
            touch.isEcho = target?.isEcho ?? false
            output.touches.append(touch)
        case .name(let name, let server):
            output.names.append(
                NameQuestion(
                    id: id, name: name, server: server, interface: key.interface ?? interface(ofName: ask.id, lane),
                    family: key.family, timeout: ask.timeout))
        }
        return nil
    }

    /// A network's own name server may let nothing else through. One of the Internet's is not asked at that port: a router whose
    /// line is dead may answer there in its place.
    private func port(ofWitness host: Host, _ lane: Int) -> UInt16 {
        host.address.isPrivate && lanes[lane].network.nameServers.contains(host.address) ? 53 : 443
    }

    /// What is asked whether a portal answers in its place: by the interface of the targets, where they have only one. No
    /// other is to be asked anything, and what a portal there says is no word on them.
    private var portalWitness: Target {
        var witness = Target.defaults[0]
        witness.interface = targetPlaces.onlyInterface(over: path)
        // A private address that its name leads to is what is to be seen.
        witness.isPublic = false
        return witness
    }

    /// Whether what is asked by a way has to be bound to its interface, because it would leave by another one.
    private func isBound(_ way: Way, _ key: Lane.Key) -> Bool {
        key.interface != nil || targetPlaces.bind(way.interface, over: path)
    }

    /// The interface that a name is looked up by, where all targets that have it are bound to one.
    private func interface(ofName ask: Ask.ID, _ lane: Int) -> String? {
        guard targetPlaces.hasBound else { return nil }
        let members = lanes[lane].members
        let bindings = lanes[lane].assessor.targets(ofName: ask).map { place in
            path.interface(for: place < members.count ? configuration.targets[members[place]] : portalWitness)
        }
        return Set(bindings).count == 1 ? bindings[0] : nil
    }

    private func send(
        _ target: Target, _ addresses: [IPAddress], _ ask: Ask, _ id: Probe.ID, _ key: Lane.Key,
        _ output: inout Output
    ) -> Answer? {
        let family = key.family ?? target.family
        let usable = family.map { family in addresses.filter { $0.family == family } } ?? addresses
        guard !usable.isEmpty else {
            // A name without an address of the only family that its target may use.
            let isOwn = key == .route && target.family != nil && !addresses.isEmpty && target.role == .target
            return isOwn ? .wrong(.nameNotFound) : .inapplicable
        }
        var probe = Probe(
            id: id, target: target, interface: key.interface ?? path.interface(for: target), family: family,
            timeout: ask.timeout)
        probe.due = ask.due
        probe.addresses = usable
        if target.eachAddress { probe.width = min(Probe.mostAddresses, configuration.share(ofEach: lanes.count)) }
        output.probes.append(probe)
        return nil
    }

    // MARK: Answers

    /// Takes the end of a target's probe in. That of a probe that was given up says nothing.
    mutating func take(
        _ result: ProbeResult, of id: Probe.ID, at now: Instant, _ output: inout Output
    ) -> Origin? {
        let (serial, ask) = Lane.split(id)
        guard let lane = lanes.firstIndex(where: { $0.serial == serial }),
            let place = lanes[lane].assessor.target(of: ask)
        else { return nil }
        noteDate(of: result, by: place, to: lane, at: now, &output)
        guard place < lanes[lane].members.count else {
            feed(.ended(ask, Answer(result, at: now)), to: lane, at: now, &output)
            return nil
        }
        let target = configuration.targets[lanes[lane].members[place]]
        let isPassing = lanes[lane].isPassing(result, of: place, at: now.monotonic)
        var result = result
        if hasNoRoute(result, of: target, ask, lanes[lane]) { Self.tellNoRoute(&result) }
        let answer = isPassing ? .void : Answer(result, at: now)
        if result.outcome != .cancelled {
            let noted = lanes[lane].note(result, of: place, fall: configuration.fall(of: target))
            output.results.append(noted)
            // Another address is gone, or back, though the target is up all the while.
            if noted.addresses != nil { news.results.insert(lanes[lane].members[place]) }
        }
        // A person has logged in, it seems.
        if result.outcome == .success, lanes[lane].isCaptive { portals.ask(at: now.monotonic) }
        feed(.ended(ask, answer), to: lane, at: now, &output)
        // The result may say in more detail why nothing answers. Where all is well a copy of the lane is spared.
        if lanes[lane].judgement.status != .full, judgement(of: lanes[lane]) != lanes[lane].judgement {
            news.hasVerdict = true
        }
        // A portal may send people to another place by now.
        if result.outcome == .portal, judgement.status == .portal { news.hasVerdict = true }
        return Origin(.probe(result), time: result.endMonotonic)
    }

    /// Tells the assessor of dates that are far from this host's, and of the first that are not any more.
    private mutating func noteDate(
        of result: ProbeResult, by place: Int, to lane: Int, at now: Instant, _ output: inout Output
    ) {
        guard result.outcome == .success, let offset = result.dateOffset else { return }
        let isOff = Assessor.isOff(offset)
        guard isOff || lanes[lane].isDateOff else { return }
        lanes[lane].isDateOff = isOff
        feed(.dated(place, offset: offset), to: lane, at: now, &output)
    }

    /// Whether the kernel had no way for what was asked, which is the path's fault: a reject route of whatever kind leads
    /// there, or none. A reference of a family without a way out is one of many.
    private func hasNoRoute(_ result: ProbeResult, of target: Target, _ ask: Ask.ID, _ lane: Lane) -> Bool {
        // A name server that was asked for records, and could not be reached.
        let isServer =
            result.reason == .nameServerFailed && result.failedPhase == .resolve && result.remoteAddress != nil
        guard result.outcome == .failure, result.reason == .unreachable || isServer else { return false }
        guard !lane.assessor.hasSent(ask) else { return false }
        let family: AddressFamily = result.family == .ipv6 ? .ipv6 : .ipv4
        let hasWayOut = lane.network.ways.contains { $0.reachesAll && $0.way.family == family }
        return hasWayOut || (lane.key == .route && target.role == .target)
    }

    /// Takes in what a prober tells beside its result.
    mutating func take(_ report: ProbeReport, at now: Instant, _ output: inout Output) -> Origin? {
        let (serial, ask) = Lane.split(report.id)
        guard let lane = lanes.firstIndex(where: { $0.serial == serial }) else { return nil }
        switch report {
        case .sent(_, let host): feed(.sent(ask, host), to: lane, at: now, &output)
        case .heard(_, let address, let after): feed(.heard(ask, address, after: after), to: lane, at: now, &output)
        case .missed(_, let address, let miss): feed(.missed(ask, address, miss), to: lane, at: now, &output)
        case .ended(let id, let result): return take(result, of: id, at: now, &output)
        case .answered(_, let answer):
            feed(.ended(ask, credible(answer, to: ask, of: lane)), to: lane, at: now, &output)
        }
        return nil
    }

    /// A private address for a name that is public was made up on the way, and one that means no host by a list of what is
    /// blocked.
    private func credible(_ answer: Answer, to ask: Ask.ID, of lane: Int) -> Answer {
        guard case .addresses(let addresses, _) = answer else { return answer }
        if !addresses.isEmpty, addresses.allSatisfy(\.isUnspecified) { return .noAddress(.nameHijacked) }
        guard addresses.contains(where: \.isPrivate) else { return answer }
        let members = lanes[lane].members
        let isPublic = lanes[lane].assessor.targets(ofName: ask).contains {
            $0 < members.count && configuration.targets[members[$0]].isPublic
        }
        return isPublic ? .noAddress(.nameHijacked) : answer
    }

    /// Tells of names that were not found as of probes that failed, and notes how long the others took.
    private mutating func noteNames(
        _ found: Assessor.Output, of lane: Int, at now: Instant, _ output: inout Output
    ) {
        for (places, took) in found.resolved {
            for place in places { lanes[lane].note(lookUp: took, for: place) }
        }
        for (places, reason, since) in found.unresolved {
            for place in places where place < lanes[lane].members.count {
                let target = configuration.targets[lanes[lane].members[place]]
                var result = Self.unresolved(
                    target.name, reason, after: since.duration(to: now.monotonic), at: now.monotonic)
                // As of those that are sent: it is one and the same way.
                result.interface = lanes[lane].key.interface ?? path.interface(for: target)
                result.family = lanes[lane].key.family ?? target.family
                output.results.append(
                    lanes[lane].note(result, of: place, fall: configuration.fall(of: target)))
            }
        }
    }

    /// A probe that came to nothing because its target's name was not found.
    private static func unresolved(
        _ target: String, _ reason: Reason, after duration: Duration, at time: MonotonicTime
    ) -> ProbeResult {
        var result = ProbeResult(target: target, outcome: .failure, duration: duration.nanoseconds, time: time)
        result.reason = ConnectivityReason(reason)
        result.failedPhase = .resolve
        result.phaseNanoseconds[.resolve] = duration.nanoseconds
        result.failure =
            switch reason {
            case .nameNotFound: "the name does not exist, says the name server"
            case .nameHijacked: "the name server says that it is at an address that is none of the Internet's"
            case .nameServerSilent: "no name server answered"
            case .noRoute: "no route leads to a name server"
            case .unsent: "this host could not send the question for its name: see its firewall and its limits"
            default: "the name server could not find the name"
            }
        return result
    }

    /// Says so where the kernel had no way for it.
    private static func tellNoRoute(_ result: inout ProbeResult) {
        result.reason = .noRoute
        result.failure = result.failure.map { "no route leads there: \($0)" }
    }
}

extension Answer {
    /// What a probe's result proves.
    init(_ result: ProbeResult, at now: Instant) {
        self =
            switch result.outcome {
            case .success: .expected
            case .portal: .elsewhere
            case .cancelled: .void
            case .skipped: result.reason == nil ? .inapplicable : .unsent
            case .failure: Answer(failure: result, at: now)
            }
    }

    private init(failure result: ProbeResult, at now: Instant) {
        self =
            switch result.reason {
            case .overloaded, .notPermitted, .bindingRefused, .reversePathFilter: .unsent
            case .noRoute, .interfaceUnusable, .noPath: .noRoute
            // Valid now, and not for as long as is asked for: no clock is at fault.
            case .certificateExpired where result.certificate?.isValid(at: now) ?? false: .wrong(.outOfTime)
            case .certificateExpired, .certificateNotYetValid:
                .outOfTime(result.certificate.flatMap { UntimelyCertificate($0, at: now) })
            // Of others that says nothing.
            case .certificateIssuer where result.remoteAddress == nil: .wrong(.unverifiable)
            case .certificateName, .certificateIssuer, .tlsFailed: .untrusted
            case .connectionRefused, .proxyRefused: .wrong(.refused)
            case .connectTimeout, .unreachable, .gatewayUnreachable, .timeout: .nothing
            case .connectionLost: .wrong(.unanswered)
            case .nameHijacked: .wrong(.nameHijacked)
            case .bodyUnexamined: .wrong(.unexamined)
            case .unexpectedBody: .wrong(.unexpected)
            case _ where result.statusCode != nil: .wrong(.unexpected)
            case .nameServerFailed: .wrong(.nameServerFailed)
            // One that sends in a circle, or a header without end, has answered.
            case .nameNotFound, .unexpectedStatus, .unexpectedHeader: .wrong(.unexpected)
            default: .nothing
            }
    }
}

extension CertificateFacts {
    fileprivate func isValid(at now: Instant) -> Bool {
        let seconds = Int64(now.wall / 1_000_000_000)
        return notBeforeSeconds <= seconds && seconds <= notAfterSeconds
    }
}

extension UntimelyCertificate {
    /// Nil for one that is never valid.
    init?(_ certificate: CertificateFacts, at now: Instant) {
        guard certificate.notBeforeSeconds <= certificate.notAfterSeconds else { return nil }
        let seconds = Int64(now.wall / 1_000_000_000)
        let (first, isFirstTooLong) = certificate.notBeforeSeconds.subtractingReportingOverflow(seconds)
        let (last, isLastTooLong) = certificate.notAfterSeconds.subtractingReportingOverflow(seconds)
        guard !isFirstTooLong, !isLastTooLong else { return nil }
        self.init(name: certificate.description, offsets: first...last)
    }
}
