import SystemPackage

extension Session {
    /// Fetches a file and waits until it is where it belongs.
    ///
    /// An answer with another status than 200…299 is the error ``RequestError/Reason/unacceptableStatus(_:body:)``, and
    /// no file is written.
    public func download(_ download: Download) async throws(RequestError) -> DownloadResponse {
        try await fetch(PartialFile(download), task: makeTaskID(), monitors: [])
    }

    func fetch(
        _ file: PartialFile, task: TaskID, monitors: [any EventMonitor]
    ) async throws(RequestError) -> DownloadResponse {
        do throws(RequestError) {
            return try await fetchOnce(file, task, monitors, resumeData: file.download.resumeData)
        } catch {
            var error = error
            error.resumeData = file.fail(error.reason)
            throw error
        }
    }

    private func fetchOnce(
        _ file: PartialFile, _ task: TaskID, _ monitors: [any EventMonitor], resumeData: ResumeData?
    ) async throws(RequestError) -> DownloadResponse {
        var request = file.download.request
        request.acceptsCompression = false
        if let resumeData { request.headers = request.headers.merging(resumeData.headers) }
        var exchange = Exchange(request, task: task, delivery: .file(file))
        exchange.monitors = monitors
        exchange.setAside { !(200..<300).contains($0.statusCode) }
        let response = try await respond(to: exchange)
        // 416: what there is may be all there is, or be of something that has changed. Either way: from the beginning.
        if response.statusCode == 416, resumeData != nil {
            return try await fetchOnce(file, task, monitors, resumeData: nil)
        }
        guard (200..<300).contains(response.statusCode), let destination = file.destination else {
            throw RequestError(
                .unacceptableStatus(response.statusCode, body: response.body), metrics: response.metrics)
        }
        return DownloadResponse(path: destination, response: response)
    }
}
