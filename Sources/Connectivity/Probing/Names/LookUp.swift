internal import Resolver

/// How names are looked up for one probe. The name tells it from Reachability's reading of resolv.conf.
typealias LookUp = ResolverConfiguration
