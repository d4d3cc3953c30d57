public import RequestEngine
import SystemPackage

extension Session {
    /// Fetches a file and waits until it is where it belongs.
    ///
    /// An answer with another status than 200…299 is the error ``RequestError/Reason/unacceptableStatus(_:body:)``, and
    /// no file is written; nor with 206, a part, unless one was asked for.
    public func download(_ download: Download) async throws(RequestError) -> DownloadResponse {
        try await fetch(PartialFile(download), task: makeTaskID(), monitors: [])
    }

    func fetch(
        _ file: PartialFile, task: TaskID, monitors: [any EventMonitor]
    ) async throws(RequestError) -> DownloadResponse {
        var request = file.download.request
        request.acceptsCompression = false
        if let resumeData = file.download.resumeData { request.interceptors.append(Resumption(file, resumeData)) }
        var exchange = Exchange(request, task: task, delivery: .outlet(file))
        exchange.monitors = monitors
        exchange.setAside { !(200..<300).contains($0.statusCode) || ($0.statusCode == 206 && !file.takesPart) }
        return try await carryOut(exchange) { (response, observers) throws(RequestError) in
            guard let destination = file.savedPath else {
                throw RequestError(
                    .unacceptableStatus(response.statusCode, body: response.body), metrics: response.metrics)
            }
            observers.tell(.saved(destination))
            return DownloadResponse(path: destination, response: response)
        }
    }
}
