import Glibc

/// Whether this run is one under a sanitizer (`make test-thread`, `make test-address`).
public enum Sanitizer {
    public static let isInUse = getenv("SANITIZE") != nil
}
