extension SessionConfiguration {
    /// The default, and redirects are followed, at most ten, as web clients do. The default itself gives a redirect as the answer,
    /// which is what a probe wants to see.
    public static var followingRedirects: SessionConfiguration {
        var configuration = SessionConfiguration.default
        configuration.interceptors = [RedirectFollower()]
        return configuration
    }
}
