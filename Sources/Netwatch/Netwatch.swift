// What an application gets by `import Netwatch`: the monitors, what they tell and what they are told, and nothing else of the
// modules that these types live in, whose names would get into the way of Foundation's and SwiftNIO's.

@_exported public import struct Connectivity.AddressResult
@_exported public import struct Connectivity.CaptivePortal
@_exported public import struct Connectivity.CertificateFacts
@_exported public import struct Connectivity.ConnectivityConfiguration
@_exported public import enum Connectivity.ConnectivityError
// MARK: What it is told
@_exported public import enum Connectivity.ConnectivityPolicy
// MARK: What it tells
@_exported public import enum Connectivity.ConnectivityReason
@_exported public import struct Connectivity.ConnectivityStatistics
@_exported public import enum Connectivity.ConnectivityStatus
@_exported public import struct Connectivity.DelayHistogram
@_exported public import struct Connectivity.Event
@_exported public import struct Connectivity.Expectation
@_exported public import struct Connectivity.FlapDamping
@_exported public import struct Connectivity.JSONMatch
@_exported public import struct Connectivity.ProbeResult
@_exported public import struct Connectivity.StatusCodes
@_exported public import struct Connectivity.Target
@_exported public import enum Connectivity.TargetError
@_exported public import struct Connectivity.TargetHealth
@_exported public import struct Connectivity.TrafficConfiguration
@_exported public import enum Connectivity.UplinkPolicy
@_exported public import struct Connectivity.UplinkVerdict
@_exported public import enum Connectivity.WaitCondition
@_exported public import typealias EventLoop.MonitorLoop
// MARK: Addresses
@_exported public import enum NetworkAddress.AddressFamily
@_exported public import struct NetworkAddress.HardwareAddress
@_exported public import enum NetworkAddress.IPAddress
@_exported public import struct NetworkAddress.IPPrefix
@_exported public import struct NetworkAddress.IPv4Address
@_exported public import struct NetworkAddress.IPv6Address
// MARK: Where a way is broken
@_exported public import struct Probing.Explainer
@_exported public import struct Probing.Explanation
@_exported public import struct Reachability.Cause
@_exported public import struct Reachability.FamilyPath
@_exported public import struct Reachability.Interface
@_exported public import struct Reachability.InterfaceAddress
@_exported public import struct Reachability.InterfaceUsability
@_exported public import struct Reachability.ListeningState
@_exported public import enum Reachability.Medium
@_exported public import struct Reachability.MessageCounts
@_exported public import struct Reachability.MonitorStatistics
// MARK: The monitor of the path
@_exported public import class Reachability.NetworkReachabilityManager
@_exported public import enum Reachability.NetworkReachabilityStatus
@_exported public import struct Reachability.Path
@_exported public import class Reachability.PathMonitor
@_exported public import enum Reachability.PathReason
@_exported public import struct Reachability.PathUpdate
@_exported public import struct Reachability.PathUpdates
@_exported public import enum Reachability.ReachabilityStatus
@_exported public import enum Reachability.ResyncCause
@_exported public import struct Reachability.Subscription
@_exported public import struct Reachability.WirelessDetails
@_exported public import enum RequestEngine.Phase
@_exported public import struct Resolver.NameServer
