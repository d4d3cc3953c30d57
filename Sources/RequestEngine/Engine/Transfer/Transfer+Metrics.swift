import CCurl

extension Transfer {
    func collectMetrics() {
        clock.report(into: &metrics)
        metrics.wantsClientCertificate = (connectionVerification ?? verification)?.hasServerAsked == true
        metrics.httpVersion = headReader.head.httpVersion
        metrics.bytesSent = (easy.integer(CURLINFO_REQUEST_SIZE) ?? 0) + easy.count(CURLINFO_SIZE_UPLOAD_T)
        metrics.bytesReceived = (easy.integer(CURLINFO_HEADER_SIZE) ?? 0) + easy.count(CURLINFO_SIZE_DOWNLOAD_T)
    }
}
