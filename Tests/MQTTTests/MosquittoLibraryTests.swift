import CMosquitto
import Glibc
import Testing

@testable import MQTT

@Suite("Failures of the MQTT library")
struct MosquittoLibraryTests {
    @Test(
        "that end connections all have words",
        arguments: [
            MOSQ_ERR_PROTOCOL, MOSQ_ERR_NO_CONN, MOSQ_ERR_CONN_LOST, MOSQ_ERR_ERRNO, MOSQ_ERR_KEEPALIVE,
            MOSQ_ERR_LOOKUP, MOSQ_ERR_MALFORMED_PACKET, MOSQ_ERR_OVERSIZE_PACKET, MOSQ_ERR_TIMEOUT,
        ])
    func words(code: mosq_err_t) {
        errno = 0
        let text = MosquittoLibrary.text(CInt(code.rawValue))
        #expect(!text.isEmpty && !text.lowercased().contains("unknown") && text != "Success")
    }
}
