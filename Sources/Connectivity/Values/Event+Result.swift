internal import EventLoop
internal import Reachability

extension Event {
    /// The end of a probe after this event, before anything follows from it.
    package func result(_ result: ProbeResult, at now: Instant) -> Event {
        var event = Event(
            seq: seq, kind: .result, time: now.wall, monotonic: now.monotonic.nanoseconds, from: nil, to: to,
            cause: Cause(probe: result), path: path)
        event.observed = observed
        event.reason = reason
        event.blame = blame
        event.portal = portal
        event.captivePortal = captivePortal
        event.latencyNanoseconds =
            now.monotonic.nanoseconds - min(result.endMonotonic.nanoseconds, now.monotonic.nanoseconds)
        event.sinceMonotonic = sinceMonotonic
        event.suspectMonotonic = suspectMonotonic
        event.checkedMonotonic = result.endMonotonic.nanoseconds
        event.uplinks = uplinks
        event.spare = spare
        event.probes = [result]
        return event
    }

    /// This event with all targets and their latest results, as the state tells them.
    package func withTargets(of state: Event) -> Event {
        var event = self
        event.targets = state.targets
        event.probes = state.probes
        return event
    }
}
