import Foundation
import Netlink
import NetworkAddress
import SystemPackage
import TestSupport
import Testing

@testable import Reachability

/// Which medium a link is, from the values that real kernels tell of it (recorded on Debian's 6.1).
@Suite("F: which medium")
struct MediumTests {
    /// A device as its netlink message and the sources beside it describe it.
    struct Device: CustomTestStringConvertible {
        let name: String
        var kind: String? = nil
        var type: UInt16 = 1
        var facts = LinkFacts()
        let medium: Medium

        var testDescription: String { "\(name): \(kind ?? "no kind"), ARPHRD \(type) → \(medium)" }

        static let all = [
            Device(name: "eth0", medium: .ethernet),
            Device(name: "wlan0", facts: LinkFacts(isWireless: true), medium: .wifi),
            Device(name: "lan-by-nl80211", facts: LinkFacts(isWireless: true), medium: .wifi),
            Device(name: "wlan-by-devtype", facts: LinkFacts(deviceType: "wlan"), medium: .wifi),
            Device(name: "wwan0-1", kind: "wwan", type: 65534, facts: LinkFacts(deviceType: "wwan"), medium: .wwan),
            Device(name: "usb-modem", facts: LinkFacts(deviceType: "wwan"), medium: .wwan),
            Device(name: "qmi", type: 519, facts: LinkFacts(driver: "qmi_wwan"), medium: .wwan),
            Device(name: "usb-tether", facts: LinkFacts(driver: "cdc_ether"), medium: .ethernet),
            Device(name: "gadget", facts: LinkFacts(deviceType: "gadget"), medium: .ethernet),
            Device(name: "dsa-port", kind: "dsa", facts: LinkFacts(deviceType: "dsa"), medium: .ethernet),
            Device(name: "rmnet_data0", type: 519, medium: .wwan),
            Device(name: "ccmni0", type: 530, medium: .wwan),
            Device(name: "bnep0", facts: LinkFacts(deviceType: "bluetooth"), medium: .other),
            Device(name: "hwsim0", type: 803, medium: .other),
            Device(name: "lowpan0", type: 825, medium: .other),
            Device(name: "dummy0", kind: "dummy", medium: .other),
            Device(name: "tomorrow0", kind: "quantum", medium: .other),
            Device(name: "future0", facts: LinkFacts(deviceType: "future"), medium: .other),
            Device(name: "ib0", type: 32, medium: .ethernet),
        ]
    }

    @Test("F1 F2 a device is told by kind, type, driver, DEVTYPE and nl80211, in this order", arguments: Device.all)
    func f2Order(_ device: Device) throws {
        var world = World()
        world.add(.uplink(2, device.name, kind: device.kind, type: device.type), "192.0.2.2/24")
        world.setDefault(.ipv4, via: "192.0.2.1", dev: 2)
        world.surroundings.facts[2] = device.facts
        #expect(try world.path().status == ReachabilityStatus(device.medium))
    }

    @Test("C12 F1 what sysfs says counts only where it is the same device")
    func c12Sysfs() throws {
        let root = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        let folder = root.appendingPathComponent("wlan0")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: root) }
        let files = ["ifindex": "2\n", "address": "02:00:00:00:00:01\n", "uevent": "DEVTYPE=wlan\nIFINDEX=2\n"]
        for (name, text) in files {
            try text.write(to: folder.appendingPathComponent(name), atomically: true, encoding: .utf8)
        }
        var link = LinkMessage.uplink(2, "wlan0")
        link.hardwareAddress = HardwareAddress("02:00:00:00:00:01")
        #expect(SystemDevice(link, root: root.path)?.deviceType == "wlan")
        #expect(SystemDevice(link, root: root.path)?.hasRadio == false)
        link.hardwareAddress = HardwareAddress("02:00:00:00:00:02")
        #expect(SystemDevice(link, root: root.path) == nil, "another device of the same name and number")
        #expect(SystemDevice(.uplink(3, "wlan0"), root: root.path) == nil)
        #expect(SystemDevice(.uplink(2, "wlan1"), root: root.path) == nil)
    }

    @Test("F3 PPP is what lies under it: Ethernet for DSL, a modem where its terminal is one's")
    func f3PPP() throws {
        var world = World()
        world.add(.uplink(2, "eth0"))
        world.add(.uplink(3, "ppp0", kind: "ppp", type: 512), "192.0.2.2/32")
        world.setDefault(.ipv4, via: nil, dev: 3)
        world.surroundings.facts[3] = LinkFacts(lowerName: "eth0")
        #expect(try world.path().status == .ethernet)
        #expect(try world.path().ipv4.via == ["ppp0", "eth0"])
        world.surroundings.facts[3] = LinkFacts(isModem: true)
        #expect(try world.path().status == .wwan)
    }

    @Test(
        "sessions are what lines run over where each can have one, and a line that has none of them is a modem's",
        arguments: [
            (["eth0": 1], 1, [], LinkFacts(lowerName: "eth0")), ([:], 1, [], LinkFacts(isModem: true)),
            (["eth0": 1], 2, [LinkFacts(lowerName: "eth0")], LinkFacts(isModem: true)),
            (["eth0": 1], 2, [LinkFacts(isModem: true)], LinkFacts(lowerName: "eth0")),
            (["eth0": 1], 2, [], LinkFacts()),
            (["eth0": 1, "eth1": 1], 2, [LinkFacts(lowerName: "eth0")], LinkFacts()),
            (["eth1": 5000], 5000, [], LinkFacts(lowerName: "eth1")),
        ] as [([String: Int], Int, [LinkFacts], LinkFacts)])
    func sessions(_ devices: [String: Int], lines: Int, others: [LinkFacts], expected: LinkFacts) throws {
        let root = try TemporaryFolder()
        let terminals = root.path.appending("bus/usb-serial/drivers/option1").string
        try FileManager.default.createDirectory(atPath: terminals, withIntermediateDirectories: true)
        _ = try root.write("".utf8, to: "bus/usb-serial/drivers/option1/ttyUSB0")
        let list = devices.map { String(repeating: "0001       02:00:00:00:00:01     \($0)\n", count: $1) }
        let file = try root.write("Id       Address              Device\n\(list.joined())".utf8, to: "pppoe")
        let facts = DeviceInspector.lineFacts(
            lines: lines, others: others, sessions: file.string, root: root.path.string)
        #expect(facts == expected)
    }

    @Test(
        "F3 a terminal is a modem's by its driver or its protocol, and not by its name",
        arguments: [
            ("bus/usb-serial/drivers/option1/ttyUSB0", "", true), ("bus/usb-serial/drivers/qcserial/ttyUSB7", "", true),
            ("bus/usb-serial/drivers/ftdi_sio/ttyUSB0", "", false), ("class/tty/ttyUSB0/dev", "188:0\n", false),
            ("class/tty/ttyACM1/device/bInterfaceProtocol", "01\n", true),
            ("class/tty/ttyACM0/device/bInterfaceProtocol", "00\n", false),
        ])
    func f3Terminals(_ file: String, _ content: String, _ isModem: Bool) throws {
        let root = try TemporaryFolder()
        let path = root.path.appending(file)
        try FileManager.default.createDirectory(
            atPath: path.removingLastComponent().string, withIntermediateDirectories: true)
        _ = try root.write(Array(content.utf8), to: file)
        #expect(ModemTerminals.arePresent(root: root.path.string) == isModem)
    }

    static let containerNames = [
        "docker0", "br-1a2b3c4d5e6f", "virbr0", "lxcbr0", "lxdbr0", "incusbr0", "cni0", "podman0", "cbr0",
        "kube-bridge",
        "nerdctl0", "vmbr1", "hassio", "waydroid0", "mpqemubr0",
    ]
    static let vethNames = [
        "veth1a2b3c4", "vethwepl01", "cali0123456789a", "lxc8f2d1", "ve-machine", "vb-machine", "cilium_host", "eni01",
        "gke0123", "azv01234", "flannel.x", "weave", "kube-ipvs0", "nodelocaldns", "tap-like0",
    ]

    @Test("F4 thirty names of containers' links are no way out", arguments: containerNames + vethNames)
    func f4Containers(_ name: String) throws {
        var world = World()
        let isBridge = Self.containerNames.contains(name)
        world.add(.uplink(2, name, kind: isBridge ? "bridge" : "veth"), "172.17.0.1/16")
        let path = try world.path()
        #expect(path.status == .none)
        #expect(path.interfaces.allSatisfy { !$0.ipv4.isUsable && !$0.ipv6.isUsable })
    }

    @Test("F4 unless the kernel routes by one", arguments: ["veth", "netkit"])
    func f4RoutedCable(kind: String) throws {
        var world = World()
        world.add(.uplink(2, "eth0", kind: kind), "172.17.0.2/16")
        world.setDefault(.ipv4, via: "172.17.0.1", dev: 2)
        #expect(try world.path().status == .ethernet)
    }
}
