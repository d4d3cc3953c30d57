import Glibc

/// The transfers that have lost the socket that was to be their connection.
///
/// libcurl (7.88) then takes the next address for them, and leaves it at that: it opens no socket for it, and asks for no
/// time, until something else wakes the transfer (`is_connected` in lib/connect.c). With an address that is silent before one
/// that answers, that is the end of the transfer's time.
final class LostSockets {
    /// Whose each socket is that was opened, until libcurl has waited for it once.
    private var owners: [CInt: Transfer.ID] = [:]
    private var losers: Set<Transfer.ID> = []

    func open(_ descriptor: CInt, for transfer: Transfer.ID) { owners[descriptor] = transfer }

    func close(_ descriptor: CInt) { owners[descriptor] = nil }

    /// libcurl no longer waits for a socket. One that has failed it closes unsaid.
    func leave(_ descriptor: CInt) {
        if let owner = owners.removeValue(forKey: descriptor) { losers.insert(owner) }
    }

    /// Those that have lost one since this was asked last.
    func take() -> Set<Transfer.ID> {
        exchange(&losers, with: [])
    }
}
