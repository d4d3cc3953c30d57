#if Service
package import Connectivity
package import Netwatch
package import RequestCore

/// A configuration document in a file (see `Documentation/Configuration.md`).
package enum ConfigurationFile {
    /// Room for tens of thousands of targets.
    private static let limit = 64 << 20

    /// Reads the configuration that a file describes.
    package static func read(_ path: String) throws(ConfigurationFileError) -> ConnectivityConfiguration {
        let bytes: [UInt8]
        do throws(SecurityError) { bytes = try FileContents.read(path, limit: limit) } catch {
            throw .unreadable(error)
        }
        do throws(ConfigurationError) {
            return try ConfigurationDocument(json: String(decoding: bytes, as: UTF8.self)).configuration()
        } catch {
            throw .invalid(path: path, error)
        }
    }
}

/// Why a configuration file cannot be used.
package enum ConfigurationFileError: Error, Sendable {
    case unreadable(SecurityError)
    case invalid(path: String, ConfigurationError)

    package var status: ExitStatus {
        switch self {
        case .unreadable: .noInput
        case .invalid: .misconfigured
        }
    }
}

extension ConfigurationFileError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unreadable(let error): "the configuration file \(error); name a file that this user may read"
        case .invalid(let path, let error): "\(path): \(error)"
        }
    }
}
#endif
