public import RequestEngine
import SystemPackage

/// What a session does with a request beside handing over its answer.
extension Session {
    /// Sends a request, waits for the whole answer, and has it read away from the loop.
    func response<Value>(
        for request: Request, read serializer: some ResponseSerializer<Value>, monitors: [any EventMonitor]
    ) async throws(RequestError) -> (Response, SerializedResponse<Value>) {
        var exchange = Exchange(request, task: makeTaskID(), delivery: .memory)
        exchange.monitors = monitors
        let mayBeCut = request.cutsBody
        return try await carryOut(exchange) { (response, observers) async throws(RequestError) in
            let response = try Delivery.memory.handOver(response, mayBeCut: mayBeCut)
            observers.tell(validationOf: response, by: serializer.validation)
            let serialized = await serializer.read(response)
            observers.tell(.serialized(SerializedAnswer(serialized, by: serializer)))
            return (response, serialized)
        }
    }

    // MARK: Files and streams

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
        let earlier = file.download.beginsAnew ? nil : file.download.resumeData
        request.interceptors.append(Resumption(file, earlier))
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

    /// Sends a request and returns as soon as the answer's header is there; the body is read from the stream.
    ///
    /// The time-out `total` covers the reading too, and `idle` does not run while the reader makes the transfer wait.
    public func stream(_ request: Request) async throws(RequestError) -> ResponseStream {
        let buffer = BodyStreamBuffer(capacity: 256 << 10)
        let exchange = Exchange(request, task: makeTaskID(), delivery: .outlet(buffer))
        let task = Task(executorPreference: loop) {
            do throws(RequestError) {
                buffer.end(.success(try await self.respond(to: exchange)))
            } catch {
                buffer.end(.failure(error))
            }
        }
        let head = await withTaskCancellationHandler {
            await buffer.head()
        } onCancel: {
            task.cancel()
        }
        return ResponseStream(head: try head.get(), buffer: buffer, task: task)
    }

    // MARK: Tasks

    /// A task that sends a request; it starts with `resume()`.
    public nonisolated func dataTask(_ request: Request) -> DataTask {
        task(.data, request)
    }

    /// A task that sends a body; it starts with `resume()`.
    public nonisolated func uploadTask(_ request: Request, from body: RequestBody) -> UploadTask {
        var request = request
        request.body = body
        return task(.upload, request)
    }

    /// A task that fetches a file; it starts with `resume()`.
    public nonisolated func downloadTask(_ download: Download) -> DownloadTask {
        let id = makeTaskID()
        let file = PartialFile(download)
        return SessionTask(.download, download.request, in: self, id: id) { (monitor) async throws(RequestError) in
            try await self.fetch(file, task: id, monitors: [monitor])
        } giveUp: { error in
            file.conclude(error)
        }
    }

    // MARK: Lists

    /// The tasks that are not over, suspended ones too: those for data, uploads and downloads, each in the order they
    /// were made. Requests without a task object, such as those of ``response(for:)``, are not among them.
    public nonisolated var tasks: [any NetworkTask] { dataTasks + uploadTasks + downloadTasks }

    public nonisolated var dataTasks: [DataTask] { tasks(.data) }

    public nonisolated var uploadTasks: [UploadTask] { tasks(.upload) }

    public nonisolated var downloadTasks: [DownloadTask] { tasks(.download) }

    private nonisolated func tasks<Value>(_ kind: TaskKind) -> [SessionTask<Value>] {
        registry.tasks.compactMap { $0 as? SessionTask<Value> }.filter { $0.kind == kind }
    }

    private nonisolated func task(_ kind: TaskKind, _ request: Request) -> SessionTask<Response> {
        let id = makeTaskID()
        return SessionTask(kind, request, in: self, id: id) { (monitor) async throws(RequestError) in
            try await self.response(for: request, task: id, monitors: [monitor])
        }
    }

    // MARK: Logging

    /// A request as a command line of curl(1), as this session sends it now.
    public func curlCommand(for request: Request, secrets: CurlCommand.Secrets = .hidden) -> CurlCommand {
        CurlCommand(request, sentWith: configuration, cookies: cookies, secrets: secrets)
    }
}

extension ResponseSerializer {
    @concurrent
    fileprivate func read(_ response: Response) async -> SerializedResponse<Value> {
        serialize(response)
    }
}
