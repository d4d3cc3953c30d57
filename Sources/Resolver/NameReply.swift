import CCares
import NetworkAddress

/// A name server's reply as it came off the wire, read by c-ares' own parsers.
struct NameReply {
    let bytes: [UInt8]

    private static let addressLimit = 128

    private var count: CInt { CInt(clamping: bytes.count) }

    /// The records of a type, and c-ares' status (ARES_SUCCESS, or why they cannot be read).
    func records(_ type: RecordType) -> (status: CInt, records: [Record]) {
        let found = parsed(type)
        // Of an alias there may be nothing but the alias.
        return found.0 == ARES_SUCCESS && found.1.isEmpty ? (ARES_ENODATA, []) : found
    }

    private func parsed(_ type: RecordType) -> (CInt, [Record]) {
        switch type {
        case .a: ipv4Addresses()
        case .aaaa: ipv6Addresses()
        case .ns: unsafe hostNames { unsafe ares_parse_ns_reply($0, $1, $2) }
        case .ptr: unsafe hostNames { unsafe ares_parse_ptr_reply($0, $1, nil, 0, CInt(AF_INET), $2) }
        case .mx:
            unsafe list(ares_parse_mx_reply, next: \.next) {
                unsafe .mailExchange(text($0.host), preference: $0.priority)
            }
        case .srv:
            unsafe list(ares_parse_srv_reply, next: \.next) {
                unsafe .service(text($0.host), port: $0.port, priority: $0.priority, weight: $0.weight)
            }
        case .caa:
            unsafe list(ares_parse_caa_reply, next: \.next) {
                unsafe .certificationAuthority(
                    property: text($0.property, $0.plength), value: text($0.value, $0.length),
                    isCritical: $0.critical != 0)
            }
        case .txt: texts()
        case .soa: startOfAuthority()
        }
    }

    private func ipv4Addresses() -> (CInt, [Record]) {
        var found = [ares_addrttl](repeating: ares_addrttl(), count: Self.addressLimit)
        var foundCount = CInt(found.count)
        let status = unsafe ares_parse_a_reply(bytes, count, nil, &found, &foundCount)
        let records = found.prefix(status == ARES_SUCCESS ? Int(foundCount) : 0).map { entry in
            let address = IPv4Address(rawValue: UInt32(bigEndian: entry.ipaddr.s_addr))
            return Record.address(.v4(address), timeToLive: Int(entry.ttl))
        }
        return (status, records)
    }

    private func ipv6Addresses() -> (CInt, [Record]) {
        var found = [ares_addr6ttl](repeating: ares_addr6ttl(), count: Self.addressLimit)
        var foundCount = CInt(found.count)
        let status = unsafe ares_parse_aaaa_reply(bytes, count, nil, &found, &foundCount)
        let records = found.prefix(status == ARES_SUCCESS ? Int(foundCount) : 0).compactMap { entry in
            unsafe withUnsafeBytes(of: entry.ip6addr) { unsafe IPv6Address(bytes: $0) }
                .map { Record.address(.v6($0), timeToLive: Int(entry.ttl)) }
        }
        return (status, records)
    }

    private func hostNames(
        _ parse: (UnsafePointer<UInt8>?, CInt, UnsafeMutablePointer<UnsafeMutablePointer<hostent>?>) -> CInt
    ) -> (CInt, [Record]) {
        var host: UnsafeMutablePointer<hostent>?
        let status = unsafe parse(bytes, count, &host)
        defer { if let host = unsafe host { unsafe ares_free_hostent(host) } }
        guard status == ARES_SUCCESS, var alias = unsafe host?.pointee.h_aliases else { return (status, []) }
        var records: [Record] = []
        while let name = unsafe alias.pointee {
            unsafe records.append(.name(text(name)))
            unsafe alias += 1
        }
        return (status, records)
    }

    /// Reads one of c-ares' linked lists of structures and frees it.
    private func list<Element>(
        _ parse: (UnsafePointer<UInt8>?, CInt, UnsafeMutablePointer<UnsafeMutablePointer<Element>?>?) -> CInt,
        next: KeyPath<Element, UnsafeMutablePointer<Element>?>, _ record: (Element) -> Record
    ) -> (CInt, [Record]) {
        var first: UnsafeMutablePointer<Element>?
        let status = unsafe parse(bytes, count, &first)
        defer { if let first = unsafe first { unsafe ares_free_data(first) } }
        guard status == ARES_SUCCESS else { return (status, []) }
        return unsafe (
            status,
            sequence(first: first, next: { unsafe $0?.pointee[keyPath: next] }).compactMap { unsafe $0?.pointee }.map(
                record)
        )
    }

    private func texts() -> (CInt, [Record]) {
        var first: UnsafeMutablePointer<ares_txt_ext>?
        let status = unsafe ares_parse_txt_reply_ext(bytes, count, &first)
        defer { if let first = unsafe first { unsafe ares_free_data(first) } }
        guard status == ARES_SUCCESS else { return (status, []) }
        var values: [[UInt8]] = []
        var piece = unsafe first
        while let current = unsafe piece?.pointee {
            let bytes = unsafe Array(UnsafeBufferPointer(start: current.txt, count: current.length))
            if unsafe current.record_start != 0 || values.isEmpty {
                values.append(bytes)
            } else {
                values[values.count - 1] += bytes
            }
            unsafe piece = current.next
        }
        return (status, values.map(Record.text))
    }

    private func startOfAuthority() -> (CInt, [Record]) {
        var reply: UnsafeMutablePointer<ares_soa_reply>?
        let status = unsafe ares_parse_soa_reply(bytes, count, &reply)
        defer { if let reply = unsafe reply { unsafe ares_free_data(reply) } }
        guard status == ARES_SUCCESS, let soa = unsafe reply?.pointee else { return (status, []) }
        let record = unsafe Record.startOfAuthority(
            primary: text(soa.nsname), responsible: text(soa.hostmaster), serial: soa.serial)
        return (status, [record])
    }

    private func text(_ pointer: UnsafePointer<CChar>?) -> String {
        unsafe pointer.map { unsafe String(cString: $0) } ?? ""
    }

    private func text(_ pointer: UnsafePointer<UInt8>?, _ count: Int) -> String {
        unsafe String(decoding: UnsafeBufferPointer(start: pointer, count: count), as: UTF8.self)
    }
}
