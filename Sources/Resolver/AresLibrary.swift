import CCares

/// c-ares' one global step. It counts its callers itself and is never undone, as the library asks of long-lived users.
enum AresLibrary {
    private static let status = ares_library_init(ARES_LIB_INIT_ALL)

    static func initialize() throws(ResolverError) {
        guard status == ARES_SUCCESS else {
            throw unsafe .setup(reason: String(cString: ares_strerror(status)))
        }
    }
}
