import CNetlink

/// Instructions of the classic Berkeley Packet Filter (`linux/filter.h`, Documentation/networking/filter.rst), by the
/// mnemonics of its assembler. A is the accumulator, X the index register, M the sixteen words of scratch memory.
extension sock_filter {
    /// Delivers the whole message.
    static let pass = sock_filter(BPF_RET | BPF_K, UInt32.max)
    /// Drops the message.
    static let drop = sock_filter(BPF_RET | BPF_K, 0)
    /// X = A
    static let tax = sock_filter(BPF_MISC | BPF_TAX, 0)
    /// A = A - X
    static let subtractX = sock_filter(BPF_ALU | BPF_SUB | BPF_X, 0)
    /// A = A << X
    static let shiftLeftByX = sock_filter(BPF_ALU | BPF_LSH | BPF_X, 0)
    /// A = A & X
    static let andX = sock_filter(BPF_ALU | BPF_AND | BPF_X, 0)

    /// A = the byte at an offset in the message
    static func loadByte(_ offset: UInt32) -> sock_filter { sock_filter(BPF_LD | BPF_B | BPF_ABS, offset) }
    /// A = the two bytes at an offset, the first one the higher
    static func loadHalf(_ offset: UInt32) -> sock_filter { sock_filter(BPF_LD | BPF_H | BPF_ABS, offset) }
    /// A = the four bytes at X plus an offset, the first one the highest
    static func loadWord(atXPlus offset: UInt32) -> sock_filter { sock_filter(BPF_LD | BPF_W | BPF_IND, offset) }
    /// A = value
    static func load(_ value: UInt32) -> sock_filter { sock_filter(BPF_LD | BPF_IMM, value) }
    /// X = value
    static func loadX(_ value: UInt32) -> sock_filter { sock_filter(BPF_LDX | BPF_IMM, value) }
    /// A = M[slot]
    static func load(from slot: Int) -> sock_filter { sock_filter(BPF_LD | BPF_MEM, UInt32(slot)) }
    /// X = M[slot]
    static func loadX(from slot: Int) -> sock_filter { sock_filter(BPF_LDX | BPF_MEM, UInt32(slot)) }
    /// M[slot] = A
    static func store(to slot: Int) -> sock_filter { sock_filter(BPF_ST, UInt32(slot)) }
    /// A = A ^ value
    static func xor(_ value: UInt32) -> sock_filter { sock_filter(BPF_ALU | BPF_XOR | BPF_K, value) }
    /// A = A - value
    static func subtract(_ value: UInt32) -> sock_filter { sock_filter(BPF_ALU | BPF_SUB | BPF_K, value) }
    /// A = the offset of the first netlink attribute of type X from offset A on, or 0
    static let findAttribute = sock_filter(
        BPF_LD | BPF_W | BPF_ABS, UInt32(bitPattern: SKF_AD_OFF &+ SKF_AD_NLATTR))

    /// Skips instructions unless A is the value.
    static func skip(_ count: Int, unlessEqual value: UInt32) -> sock_filter {
        sock_filter(BPF_JMP | BPF_JEQ | BPF_K, value, jf: UInt8(count))
    }

    /// Skips instructions if A is the value.
    static func skip(_ count: Int, ifEqual value: UInt32) -> sock_filter {
        sock_filter(BPF_JMP | BPF_JEQ | BPF_K, value, jt: UInt8(count))
    }

    /// Skips instructions if A is greater.
    static func skip(_ count: Int, ifGreaterThan value: UInt32) -> sock_filter {
        sock_filter(BPF_JMP | BPF_JGT | BPF_K, value, jt: UInt8(count))
    }

    /// Skips any number of instructions; the conditional ones have eight bits for it.
    static func skip(_ count: Int) -> sock_filter { sock_filter(BPF_JMP | BPF_JA, UInt32(count)) }

    private init(_ code: CInt, _ value: UInt32, jt: UInt8 = 0, jf: UInt8 = 0) {
        self.init(code: UInt16(code), jt: jt, jf: jf, k: value)
    }
}
