package import Connectivity
import Glibc
import Netwatch
import NetworkAddress

/// Where the service's configuration comes from, to be read when it starts and again whenever it is asked to: first the file,
/// then `NETWATCH_*` variables, then flags. The later wins.
package struct ConfigurationSource: Sendable {
    /// The file that is read where no other is named.
    package static let usualPath = "/etc/netwatch/netwatch.yaml"

    /// What flags put in the place of everything else.
    package struct Flags: Sendable {
        /// Changes what file and variables say.
        package var apply: @Sendable (inout ConnectivityConfiguration) throws -> Void
        /// The keys that flags stand for, with the flags' names.
        package var names: [String: String]
        /// Where to listen, in the place of `service.listen`.
        package var listen: ListenAddress?

        package init(
            names: [String: String] = [:], listen: ListenAddress? = nil,
            apply: @escaping @Sendable (inout ConnectivityConfiguration) throws -> Void = { _ in }
        ) {
            self.apply = apply
            self.names = names
            self.listen = listen
        }
    }

    private let path: String?
    private let variables: [String: String]
    private let credentials: String?
    private let flags: Flags

    /// - Parameter path: The file; nil for ``usualPath``, which may be missing.
    package init(path: String?, flags: Flags) {
        self.init(
            path: path, variables: EnvironmentLayer.variables,
            credentials: Environment.value("CREDENTIALS_DIRECTORY"), flags: flags)
    }

    /// - Parameters:
    ///   - variables: The environment's, by name.
    ///   - credentials: The folder of the credentials that the service's manager hands over; nil for none.
    package init(path: String?, variables: [String: String], credentials: String? = nil, flags: Flags = .init()) {
        self.path = path
        self.variables = variables
        self.credentials = credentials
        self.flags = flags
    }

    /// Reads everything anew.
    ///
    /// - Throws: ``ConfigurationFileError`` or ``CAFileError`` for the first mistake; `ConnectivityError` for one of the flags.
    package func load() throws -> LoadedConfiguration {
        let (ofEnvironment, unknown) = try EnvironmentLayer.layers(of: variables)
        let layers = try fileLayers() + ofEnvironment + flagLayers
        let root = layers.merged
        var (service, monitor) = (ServiceConfiguration(), ConnectivityConfiguration())
        do throws(ConfigurationError) {
            service = try ServiceDocument(root).configuration
            monitor = try ConfigurationDocument.configuration(of: root, besides: [ServiceDocument.key])
            service.tokenFile = service.tokenFile ?? credential("http-token")
            if service.mqtt?.user != nil, service.mqtt?.passwordFile == nil {
                service.mqtt?.passwordFile = credential("mqtt-password")
            }
            try service.mqtt?.checkFiles(at: "\(ServiceDocument.key).mqtt")
            for (index, push) in service.push.enumerated() {
                try push.checkFiles(at: "\(ServiceDocument.key).push[\(index)]")
            }
            service.webhooks = service.webhooks.map { $0.finding(credentialsIn: credentials) }
            for (index, webhook) in service.webhooks.enumerated() {
                try webhook.checkFiles(at: "\(ServiceDocument.key).webhooks[\(index)]")
            }
            try Self.checkOpenness(of: service)
        } catch {
            throw layers.error(error)
        }
        try flags.apply(&monitor)
        try monitor.validate()
        if let file = monitor.certificateAuthorityFile { try CAFileError.check(file) }
        let token = try service.tokenFile.map { try AccessToken(file: $0) }
        return LoadedConfiguration(
            monitor: monitor, service: service, token: token,
            warnings: unknown.map(EnvironmentLayer.warning) + Self.flaws(of: service.hooks)
                + Self.strangers(in: service, to: monitor.targets),
            origin: { [names = flags.names] key in Self.flag(for: key, in: names) ?? layers.origin(of: key) })
    }

    /// The flag that a value is from: `targets.interface` is that of each target, `targets` all that is said of them.
    private static func flag(for key: String, in names: [String: String]) -> String? {
        let levels = key.split(separator: ".").map { level in level.prefix { $0 != "[" } }
        return names[levels.joined(separator: ".")] ?? levels.first.flatMap { names[String($0)] }
    }

    /// What keeps hooks from being run as things are.
    private static func flaws(of hooks: [HookSettings]) -> [String] {
        hooks.enumerated().compactMap { index, hook in
            hook.flaw.map { "\(ServiceDocument.key).hooks[\(index)].command: \($0)" }
        }
    }

    /// Exporters that name targets which are not watched: they would never be told anything.
    private static func strangers(in service: ServiceConfiguration, to targets: [Target]) -> [String] {
        let lists =
            service.hooks.enumerated().map { ("hooks[\($0.offset)]", $0.element.filter.targets) }
            + service.webhooks.enumerated().map { ("webhooks[\($0.offset)]", $0.element.filter.targets) }
        let known = Set(targets.map(\.name))
        return lists.flatMap { key, names in
            names.subtracting(known).sorted().map {
                "\(ServiceDocument.key).\(key).targets: no target is called \(DisplayText.safe($0))"
            }
        }
    }

    private func fileLayers() throws(ConfigurationFileError) -> [ConfigurationLayer] {
        if let path { return [try ConfigurationFile.layer(path)] }
        guard unsafe access(Self.usualPath, F_OK) == 0 || errno != ENOENT else { return [] }
        return [try ConfigurationFile.layer(Self.usualPath)]
    }

    private var flagLayers: [ConfigurationLayer] {
        guard let listen = flags.listen else { return [] }
        let value = DocumentNode(value: .plain("\(listen)"), offset: 0)
        let section = DocumentNode(value: .object([.init(key: "listen", offset: 0, value: value)]), offset: 0)
        let root = DocumentNode(
            value: .object([.init(key: ServiceDocument.key, offset: 0, value: section)]), offset: 0)
        return [ConfigurationLayer(source: .flag("--listen"), text: "\(listen)", root: root)]
    }

    /// A secret that systemd hands over (`LoadCredential=http-token:PATH`), by its file; nil where there is none.
    private func credential(_ name: String) -> String? {
        guard let path = credentials.map({ $0 + "/" + name }), unsafe access(path, F_OK) == 0 else { return nil }
        return path
    }

    /// Any client that reaches the port reads where this host is and what it depends on.
    private static func checkOpenness(of service: ServiceConfiguration) throws(ConfigurationError) {
        guard let open = service.openAddress else { return }
        throw .invalid(
            key: "\(ServiceDocument.key).listen",
            reason: "other hosts reach \(open): name a tokenFile beside it, or write openToAll: true")
    }
}

/// A configuration that was read, and where each part of it comes from.
package struct LoadedConfiguration: Sendable {
    package let monitor: ConnectivityConfiguration
    package private(set) var service: ServiceConfiguration
    package let token: AccessToken?
    /// What was passed over.
    package let warnings: [String]
    private let origin: @Sendable (String) -> String?

    init(
        monitor: ConnectivityConfiguration, service: ServiceConfiguration, token: AccessToken?, warnings: [String],
        origin: @escaping @Sendable (String) -> String?
    ) {
        self.monitor = monitor
        self.service = service
        self.token = token
        self.warnings = warnings
        self.origin = origin
    }

    /// The same beside another service, which goes on as it was started.
    func running(_ service: ServiceConfiguration) -> LoadedConfiguration {
        var other = self
        other.service = service
        return other
    }

    /// Every value with where it is from, a line each.
    package var listing: [String] {
        let settings = Setting.all(of: monitor) + Setting.all(of: service)
        return settings.map { "\($0.key): \($0.value)  (\(origin($0.key) ?? "default"))" }
    }
}
