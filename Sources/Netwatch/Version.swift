/// The version of the library, of the program and of the package.
public enum NetwatchVersion {
    /// By semantic versioning.
    public static let current = "0.1.0"
}
