#if Service
/// The version of the program and of the package.
package enum Version {
    package static let current = "0.1.0"
}
#endif
