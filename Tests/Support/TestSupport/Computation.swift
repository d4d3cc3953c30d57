import Dispatch
public import Testing

/// Runs the cases of tests that compute for seconds one after the other on a thread of their own. On one of the few threads
/// that all tests share, each would hold up what others wait for.
public struct Computation: SuiteTrait, TestTrait, TestScoping {
    public var isRecursive: Bool { true }

    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        guard testCase != nil else { return try await function() }
        try await withTaskExecutorPreference(ComputingThread.shared) { try await function() }
    }
}

extension Trait where Self == Computation {
    /// See ``Computation``.
    public static var computation: Self { Computation() }
}

private final class ComputingThread: TaskExecutor {
    static let shared = ComputingThread()

    private let queue = DispatchQueue(label: "netwatch-computation")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { [self] in unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}
