import ArgumentParser
import Connectivity
import NetworkAddress

/// By which way: the options of every command that sends something.
struct WayOptions: ParsableArguments {
    @Option(
        name: .shortAndLong, help: .init("Send by this interface or not at all.", valueName: "name"),
        completion: .shellCommand("ls /sys/class/net"),
        transform: { name in
            guard DeviceBinding.isName(name) else { throw ValidationError("no interface can be called so") }
            return name
        })
    var interface: String?

    @Option(
        help: .init("The only family to use: ipv4 or ipv6.", valueName: "family"),
        completion: .list(AddressFamily.allCases.map(\.rawValue)),
        transform: { text in
            guard let family = AddressFamily(rawValue: text) else { throw ValidationError("write ipv4 or ipv6") }
            return family
        })
    var family: AddressFamily?

    @Flag(name: .customShort("4"), help: "The same as --family ipv4.")
    var isIPv4 = false

    @Flag(name: .customShort("6"), help: "The same as --family ipv6.")
    var isIPv6 = false

    /// The only family to use; nil for either.
    var onlyFamily: AddressFamily? { isIPv4 ? .ipv4 : isIPv6 ? .ipv6 : family }

    func validate() throws {
        let wanted = [isIPv4 ? .ipv4 : nil, isIPv6 ? .ipv6 : nil, family].compactMap { $0 }
        guard Set(wanted).count <= 1 else {
            throw ValidationError("-4, -6 and --family exclude each other: leave all but one out")
        }
    }

    /// Which of its options says the family.
    var familyFlag: String? { isIPv4 ? "-4" : isIPv6 ? "-6" : family == nil ? nil : "--family" }

    /// The options that were given.
    var givenFlags: [String] { [interface == nil ? nil : "--interface", familyFlag].compactMap { $0 } }

    /// Has all targets probed by this way only.
    func apply(to configuration: inout ConnectivityConfiguration) {
        for index in configuration.targets.indices {
            if let interface {
                configuration.targets[index].interface = interface
                configuration.targets[index].medium = nil
            }
            if let onlyFamily { configuration.targets[index].family = onlyFamily }
        }
    }
}
