import EventLoop
import Netlink

/// What the drivers are asked for, and what they said.
extension MonitorSession {
    /// The question that has to be put to the drivers in the place of the one before; nil where that does.
    ///
    /// - Parameter answer: Is called on the drivers' thread, once.
    func nextCarrierQuestion(
        answer: @escaping @Sendable (_ number: UInt64, CarrierQuestion.Outcome) -> Void
    ) -> CarrierQuestion? {
        let links = questionable
        let lost = Set(reducer.surroundings.carriers.keys)
        if let question, question.links == links, question.lost == lost, question.outdated.isEmpty,
            carriers.isUnderWay
        {
            return nil
        }
        questions += 1
        let next = CarrierQuestion(number: questions, links: links, lost: lost, answer: answer)
        question = next
        return next
    }

    /// Takes back a question that was answered; nil where another has been put meanwhile.
    func endCarrierQuestion(_ number: UInt64) -> CarrierQuestion? {
        guard let answered = question, answered.number == number else { return nil }
        question = nil
        return answered
    }

    /// Takes what the drivers said of their carrier.
    ///
    /// - Returns: Whether some of it is news.
    func learn(_ carriers: [UInt32: Bool], of question: CarrierQuestion) -> Bool {
        var isNews = false
        for link in question.links where !question.outdated.contains(link.index) {
            let isLost = carriers[link.index] == false
            guard isLost != (reducer.surroundings.carriers[link.index] == false) else { continue }
            guard let message = reducer.state.links[link.index] else { continue }
            reducer.surroundings.carriers[link.index] = isLost ? false : nil
            note(StateChange(carrier: !isLost, of: message))
            isNews = true
        }
        return isNews
    }

    /// The links whose drivers are worth asking for their carrier: those that a usable way leaves by, with what lies under
    /// them, and those that have lost it by their drivers' word alone.
    private var questionable: [CarrierQuestion.Link] {
        carrying.union(reducer.surroundings.carriers.keys).sorted().compactMap { reducer.state.links[$0] }
            .filter { $0.flags.contains([.up, .lowerUp]) }.map { CarrierQuestion.Link(index: $0.index, name: $0.name) }
    }
}
