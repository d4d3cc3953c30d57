extension MediaType {
    /// The type of files with this extension, in whatever case; nil where it is not known. The table is the library's
    /// own, so that the answer does not change with the packages of a system.
    public init?(fileExtension: String) {
        guard let text = Self.table[fileExtension.lowercased()], let type = MediaType(text) else { return nil }
        self = type
    }

    private static let table: [String: String] = [
        "7z": "application/x-7z-compressed", "aac": "audio/aac", "atom": "application/atom+xml",
        "avi": "video/x-msvideo",
        "avif": "image/avif", "bin": "application/octet-stream", "bmp": "image/bmp", "bz2": "application/x-bzip2",
        "cer": "application/x-x509-ca-cert", "crl": "application/pkix-crl", "crt": "application/x-x509-ca-cert",
        "css": "text/css", "csv": "text/csv", "deb": "application/vnd.debian.binary-package",
        "der": "application/x-x509-ca-cert", "doc": "application/msword",
        "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "epub": "application/epub+zip",
        "flac": "audio/flac", "gif": "image/gif", "gz": "application/gzip", "heic": "image/heic", "htm": "text/html",
        "html": "text/html", "ico": "image/x-icon", "ics": "text/calendar", "jpeg": "image/jpeg", "jpg": "image/jpeg",
        "js": "text/javascript", "json": "application/json", "jsonl": "application/jsonl", "log": "text/plain",
        "m4a": "audio/mp4", "md": "text/markdown", "mjs": "text/javascript", "mkv": "video/x-matroska",
        "mov": "video/quicktime", "mp3": "audio/mpeg", "mp4": "video/mp4", "mpeg": "video/mpeg", "mpg": "video/mpeg",
        "odp": "application/vnd.oasis.opendocument.presentation",
        "ods": "application/vnd.oasis.opendocument.spreadsheet", "odt": "application/vnd.oasis.opendocument.text",
        "oga": "audio/ogg", "ogg": "audio/ogg", "ogv": "video/ogg", "opus": "audio/ogg", "otf": "font/otf",
        "p12": "application/x-pkcs12", "pcap": "application/vnd.tcpdump.pcap", "pdf": "application/pdf",
        "pem": "application/x-pem-file", "pfx": "application/x-pkcs12", "plist": "application/x-plist",
        "png": "image/png", "ppt": "application/vnd.ms-powerpoint",
        "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
        "rar": "application/vnd.rar", "rpm": "application/x-rpm", "rss": "application/rss+xml",
        "rtf": "application/rtf",
        "svg": "image/svg+xml", "tar": "application/x-tar", "tgz": "application/gzip", "tif": "image/tiff",
        "tiff": "image/tiff", "toml": "application/toml", "ttf": "font/ttf", "txt": "text/plain",
        "wasm": "application/wasm", "wav": "audio/wav", "weba": "audio/webm", "webm": "video/webm",
        "webp": "image/webp", "woff": "font/woff", "woff2": "font/woff2", "xhtml": "application/xhtml+xml",
        "xls": "application/vnd.ms-excel",
        "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "xml": "application/xml",
        "xz": "application/x-xz", "yaml": "application/yaml", "yml": "application/yaml", "zip": "application/zip",
        "zst": "application/zstd",
    ]
}
