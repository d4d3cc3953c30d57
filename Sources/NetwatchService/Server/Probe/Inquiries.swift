import Connectivity
import EventLoop
import HTTPTypes
import Hummingbird
import Netwatch
import NetworkAddress
import Probing
import Reachability
import ServiceLifecycle
import Synchronization

/// Answers what has to be found out when it is asked: `/probe` and `/explain`. What is sent for it does not touch the verdict,
/// and runs on a thread of its own, which is there from the first question on.
final class Inquiries: Sendable {
    /// How many may be under way at one time.
    private static let mostUnderWay = 64

    private struct State {
        var underWay = 0
        var loop: EventLoop?
        var prober: SpotProber?
    }

    private let monitor: ConnectivityMonitor
    private let modules: [String: ProbeModule]
    private let state = Mutex(State())

    init(monitor: ConnectivityMonitor, modules: [String: ProbeModule]) {
        self.monitor = monitor
        self.modules = modules
    }

    // MARK: /probe

    /// `?target=TEXT&module=NAME`, `&hostname=NAME` to ask for that name there, and `&interface=NAME` to go by one:
    /// an answer as blackbox_exporter gives it.
    func probe(_ request: Request) async -> HTTPAnswer {
        let question: ProbeQuestion
        do throws(ProbeQuestion.Mistake) {
            question = try ProbeQuestion(request, modules: modules, usual: monitor.currentConfiguration)
        } catch {
            return .text(error.text, status: .badRequest)
        }
        return await answer(request) { [monitor] _, prober in
            let end = await prober.probe(
                question.target, at: question.place, within: question.timeout, path: monitor.current.path,
                monitor.currentConfiguration)
            return ProbeAnswer(question: question, probe: end).answer(request)
        }
    }

    // MARK: /explain

    /// `?target=NAME-OR-URL&interface=NAME&family=ipv4`: the steps of the way, as `netwatch explain` finds them.
    func explain(_ request: Request) async -> HTTPAnswer {
        let question: ExplainQuestion
        do throws(ExplainQuestion.Mistake) { question = try ExplainQuestion(request) } catch {
            return .text(error.text, status: .badRequest)
        }
        let configuration = monitor.currentConfiguration
        return await answer(request) { loop, _ in
            do throws(ConnectivityError) {
                let explanation = try await Explainer(configuration: configuration, loop: loop).explain(
                    question.subject, interface: question.interface, family: question.family,
                    defaultProbes: configuration.asksWitnesses)
                return question.answer(explanation)
            } catch {
                return .text("\(error)\n", status: .badRequest)
            }
        }
    }

    // MARK: The bounds

    /// - Parameter find: Finds out, on the loop that it is given.
    private func answer(
        _ request: Request, _ find: @escaping @Sendable (EventLoop, SpotProber) async -> HTTPAnswer
    ) async -> HTTPAnswer {
        // A page in a browser on this host must not have it send requests: that is what these addresses do.
        if let site = HTTPField.Name("Sec-Fetch-Site"), let from = request.headers[site],
            !["none", "same-origin"].contains(from)
        {
            return .text("pages of other sites may not ask for this\n", status: .forbidden)
        }
        guard let (loop, prober) = enter() else {
            var answer = HTTPAnswer.text(
                "\(Self.mostUnderWay) such questions are under way, or no thread can be had; ask again\n",
                status: .serviceUnavailable)
            answer.fields[.retryAfter] = "1"
            return answer
        }
        defer { state.withLock { $0.underWay -= 1 } }
        // The end of the service does not wait for it.
        return await cancelWhenGracefulShutdown { await find(loop, prober) }
    }

    private func enter() -> (EventLoop, SpotProber)? {
        state.withLock { state in
            guard state.underWay < Self.mostUnderWay else { return nil }
            guard let loop = state.loop ?? (try? EventLoop(name: "netwatch-asked")) else { return nil }
            let prober = state.prober ?? SpotProber(loop: loop)
            (state.loop, state.prober) = (loop, prober)
            state.underWay += 1
            return (loop, prober)
        }
    }
}
