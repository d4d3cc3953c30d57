// A program that only asks for something needs no other import: requests have URLs, bodies are data, addresses may be
// given, downloads have paths and failures an `Errno`. The names of these modules clash with no other package's.
@_exported public import FoundationEssentials
@_exported public import JSON
@_exported public import NetworkAddress
@_exported public import RequestEngine
@_exported public import SystemPackage
