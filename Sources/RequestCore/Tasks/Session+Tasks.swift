public import RequestEngine

extension Session {
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
}
