import EventLoop
import Netlink
import NetworkAddress

/// News from beside rtnetlink: of name servers, of Wi-Fi, and of the host's sleep.
extension PathMonitor {
    func readNameServers() {
        guard let session else { return }
        session.nameServers.drain()
        let servers = session.nameServers.read()
        guard servers != session.reducer.surroundings.nameServers else { return }
        session.reducer.surroundings.nameServers = servers
        session.note(StateChange(.nameServers(servers), previous: nil))
        evaluateWhenDue()
    }

    func readResumeClock() {
        if let slept = session?.resumeClock.drain() { resume(after: slept) }
    }

    /// Reads everything anew after the host was asleep: what happened meanwhile outside of it, no message tells.
    package func resume(after slept: Duration) {
        guard let session else { return }
        session.recorder.record(.asleep(slept), at: .now)
        session.reducer.noteSleep(slept)
        session.repair.need(.resume)
        showListening()
        watchCarriers(.now)
        evaluateWhenDue()
    }

    /// Association and roaming, which rtnetlink does not tell, or not in full.
    func readWirelessNews() {
        guard let session else { return }
        var news: [(index: UInt32, event: WirelessNotification.Event)] = []
        _ = session.wirelessNews?.drain { notification in
            if let index = notification.index { news.append((index, notification.event)) }
        }
        guard !news.isEmpty else { return }
        session.reducer.surroundings.wireless = session.inspector.wirelessInterfaces()
        for (index, event) in news {
            let link = session.reducer.state.links[index]
            session.note(StateChange(.wireless(index: index, event), previous: link))
        }
        watchCarriers(.now)
        evaluateWhenDue()
    }
}
