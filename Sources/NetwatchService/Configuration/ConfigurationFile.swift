package import Connectivity
package import Netwatch
package import RequestEngine

/// A configuration document in a file (see `Documentation/Configuration.md`): YAML where its name ends in `.yaml` or `.yml`,
/// else JSON.
package enum ConfigurationFile {
    /// Room for tens of thousands of targets.
    private static let limit = 64 << 20

    /// Where bytes stop being UTF-8. What a decoder puts in their place would be part of a name without a word.
    private static func flaw(_ bytes: [UInt8]) -> String {
        let repaired = String(decoding: bytes, as: UTF8.self).utf8
        let place = zip(bytes, repaired).prefix { $0 == $1 }.count
        let line = 1 + bytes.prefix(place).count { $0 == UInt8(ascii: "\n") }
        return "it is not UTF-8, in line \(line); convert it, with iconv -f ISO-8859-1 -t UTF-8 for example"
    }

    /// Some editors begin a text with a mark of its encoding, which is no part of it and has no column.
    private static func withoutMark(_ bytes: [UInt8]) -> [UInt8] {
        bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    }

    /// Reads the configuration that a file describes. What it says of the service is for ``ServiceConfiguration``.
    package static func read(_ path: String) throws(ConfigurationFileError) -> ConnectivityConfiguration {
        let layer = try layer(path)
        do throws(ConfigurationError) {
            _ = try ServiceDocument(layer.root)
            return try ConfigurationDocument.configuration(of: layer.root, besides: [ServiceDocument.key])
        } catch {
            throw .invalid(path: path, error.placed(in: layer.root, of: layer.text))
        }
    }

    /// Reads a file without asking what its keys mean.
    static func layer(_ path: String) throws(ConfigurationFileError) -> ConfigurationLayer {
        let bytes: [UInt8]
        do throws(SecurityError) { bytes = withoutMark(try FileContents.read(path, limit: limit)) } catch {
            throw .unreadable(error)
        }
        do throws(ConfigurationError) {
            guard let text = String(validating: bytes, as: UTF8.self) else { throw .unreadable(Self.flaw(bytes)) }
            let isYAML = path.hasSuffix(".yaml") || path.hasSuffix(".yml")
            let root = isYAML ? try YAMLParser.parse(text) : try DocumentParser.parse(text)
            return ConfigurationLayer(source: .file(path), text: text, root: root)
        } catch {
            throw .invalid(path: path, error)
        }
    }
}

/// Why a configuration cannot be used. The path is a file's, or the name of a variable or of a flag.
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
        case .invalid(let path, let error):
            // As compilers write it, so that editors find the place.
            error.place.map { "\(path):\($0.line):\($0.column): \(MisplacedKey.sentence(error) ?? error.sentence)" }
                ?? "\(path): \(MisplacedKey.sentence(error) ?? error.description)"
        }
    }
}
