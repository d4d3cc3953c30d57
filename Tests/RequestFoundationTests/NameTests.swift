// Every module that a program may import beside Foundation: no name may be known twice.
import EventLoop
import Foundation
import NetworkAddress
import Reachability
import RequestCore
import RequestFoundation
import Testing

@Suite("Names beside Foundation's")
struct NameTests {
    @Test("each name of either side can be written as it is")
    func names() throws {
        let timer: Timer? = nil
        let (data, url, date) = (Data(), URL(string: "http://h/"), Date(timeIntervalSince1970: 0))
        let headers = HeaderFields()
        let method: RequestMethod = .get
        let version: ProtocolVersion? = ProtocolVersion.http2
        let loop: NetworkLoop = try EventLoop.shared()
        let loopTimer: LoopTimer = loop.schedule(after: .seconds(60)) {}
        loop.cancel(loopTimer)
        let progress: Progress = Progress(totalUnitCount: 1)
        let (process, operation): (Process?, Operation?) = (nil, nil)
        #expect(timer == nil && data.isEmpty && url != nil && date.timeIntervalSince1970 == 0)
        #expect(headers.isEmpty && method == RequestMethod.get && version != nil && process == nil && operation == nil)
        #expect(progress.totalUnitCount == 1)
    }

    @Test("dates are written as a formatter says")
    func formatter() throws {
        struct Event: Encodable { let at = Date(timeIntervalSince1970: 0) }
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: "UTC")
        formatter.dateFormat = "yyyy/MM/dd"
        var encoder = ParameterEncoder()
        encoder.dates = .formatted(formatter)
        #expect(try encoder.parameters(Event())["at"] == "1970/01/01")
    }
}
