@_exported public import Connectivity
@_exported public import EventLoop
@_exported public import NetworkAddress
@_exported public import Reachability
@_exported public import RequestCore
@_exported public import Resolver
