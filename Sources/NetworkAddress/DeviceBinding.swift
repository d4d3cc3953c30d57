import Glibc
package import SystemPackage

/// Has every packet of a socket leave by one device or not at all, and reads back that the kernel took it so. It needs no
/// privilege since Linux 5.7.
package enum DeviceBinding {
    /// Whether a device can be called so: what the kernel takes for a name (dev_valid_name, net/core/dev.c).
    package static func isName(_ name: String) -> Bool {
        let bytes = name.utf8
        // What isspace(3) takes for a blank in the C locale.
        let isBlank = { (byte: UInt8) in byte == 0x20 || (0x09...0x0D).contains(byte) }
        return !bytes.isEmpty && bytes.count < Int(IFNAMSIZ) && ![".", ".."].contains(name)
            && !bytes.contains { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: ":") || $0 == 0 || isBlank($0) }
    }

    /// By the device's name (SO_BINDTODEVICE, socket(7)).
    ///
    /// - Throws: What the kernel said; ENXIO for what is no device's name, and where the kernel has bound the socket to a device
    ///   that is called otherwise, as one by its altname.
    package static func bind(_ descriptor: CInt, toDevice name: String) throws(Errno) {
        let bytes = Array(name.utf8)
        // An empty name would take a binding away, and a longer one would be cut.
        guard !bytes.isEmpty, bytes.count < Int(IFNAMSIZ), !bytes.contains(0) else { throw .noSuchAddressOrDevice }
        guard unsafe setsockopt(descriptor, SOL_SOCKET, SO_BINDTODEVICE, bytes, socklen_t(bytes.count)) == 0 else {
            throw Errno(rawValue: errno)
        }
        var answer = [UInt8](repeating: 0, count: Int(IFNAMSIZ))
        var count = socklen_t(answer.count)
        guard unsafe getsockopt(descriptor, SOL_SOCKET, SO_BINDTODEVICE, &answer, &count) == 0 else {
            throw Errno(rawValue: errno)
        }
        let name = answer.prefix(Int(count)).prefix { $0 != 0 }
        guard name.elementsEqual(bytes) else { throw .noSuchAddressOrDevice }
    }

    /// By the device's number (SO_BINDTOIFINDEX).
    ///
    /// - Throws: What the kernel said; ENXIO where there is no such device.
    package static func bind(_ descriptor: CInt, toIndex index: Int) throws(Errno) {
        guard var wanted = CInt(exactly: index), wanted > 0 else { throw .noSuchAddressOrDevice }
        var count = socklen_t(MemoryLayout<CInt>.size)
        guard unsafe setsockopt(descriptor, SOL_SOCKET, SO_BINDTOIFINDEX, &wanted, count) == 0 else {
            throw Errno(rawValue: errno)
        }
        var answer: CInt = 0
        guard unsafe getsockopt(descriptor, SOL_SOCKET, SO_BINDTOIFINDEX, &answer, &count) == 0 else {
            throw Errno(rawValue: errno)
        }
        guard answer == wanted, exists(UInt32(wanted)) else { throw .noSuchAddressOrDevice }
    }

    /// The kernel takes any index for a binding, and complains only when the socket connects.
    private static func exists(_ index: UInt32) -> Bool { name(of: index) != nil }

    /// The name of the device with a number; nil where there is none.
    package static func name(of index: UInt32) -> String? {
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(IFNAMSIZ)) { name in
            guard let base = name.baseAddress, unsafe if_indextoname(index, base) != nil else { return nil }
            return unsafe String(cString: base)
        }
    }
}
