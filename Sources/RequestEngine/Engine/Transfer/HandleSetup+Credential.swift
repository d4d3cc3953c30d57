internal import CCurl

extension HandleSetup {
    /// Lets libcurl prove the client's identity. For Digest and Negotiate it waits for the server's challenge and answers
    /// it within the same transfer.
    func setCredential(_ easy: TransferHandle) throws(RequestError) {
        guard let credential = options.credential else { return }
        guard !credential.secrets.contains(where: { $0.utf8.contains(where: Token.breaksLine) }) else {
            throw RequestError(.invalidMessage(.invalidFieldValue(name: "Authorization")))
        }
        if case .basic(let user, _) = credential, user.contains(":") {
            throw RequestError(.authentication(.colonInUser(user)))
        }
        try easy.set(CURLOPT_HTTPAUTH, credential.method)
        switch credential {
        case .basic(let user, let password), .digest(let user, let password):
            try easy.set(CURLOPT_USERNAME, user)
            try easy.set(CURLOPT_PASSWORD, password)
        case .bearer(let token):
            try easy.set(CURLOPT_XOAUTH2_BEARER, token)
        case .negotiate:
            // An empty name means: the principal that the ticket is for.
            try easy.set(CURLOPT_USERNAME, "")
            try easy.set(CURLOPT_PASSWORD, "")
        }
    }
}

extension Credential {
    /// The texts that go into the header.
    fileprivate var secrets: [String] {
        switch self {
        case .basic(let user, let password), .digest(let user, let password): [user, password]
        case .bearer(let token): [token]
        case .negotiate: []
        }
    }

    /// libcurl's bit for the scheme (`CURLAUTH_…`, which Swift does not import).
    fileprivate var method: Int {
        switch self {
        case .basic: 1 << 0
        case .digest: 1 << 1
        case .negotiate: 1 << 2
        case .bearer: 1 << 6
        }
    }
}
