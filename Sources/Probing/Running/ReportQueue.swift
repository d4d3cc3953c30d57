internal import Connectivity
internal import Synchronization

/// Reports on their way from a loop that probes to the monitor's.
///
/// The arrays go to and fro and are used again. Memory that one thread has allocated and another frees is freed under the
/// first one's lock (malloc(3), arenas), which that one keeps where it is put off with it in hand; and meanwhile a change of
/// the path would wait to be told.
final class ReportQueue: Sendable {
    private let reports = Mutex<[ProbeReport]>([])

    /// Hands reports over, and leaves an empty array in their place.
    func post(_ new: inout [ProbeReport]) {
        reports.withLock { reports in
            if reports.isEmpty {
                swap(&reports, &new)
            } else {
                reports += new
                new.removeAll(keepingCapacity: true)
            }
        }
    }

    /// Takes what was handed over, for an empty array.
    func collect(into empty: inout [ProbeReport]) {
        reports.withLock { swap(&$0, &empty) }
    }
}
