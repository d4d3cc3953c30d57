package import RequestEngine

/// How far a download has come, as one line for a terminal.
package enum ProgressBar {
    package static func text(_ progress: TransferProgress, width: Int, style: Style) -> String {
        guard let total = progress.total, let fraction = progress.fraction else { return size(progress.completed) }
        let columns = max(4, min(width - 32, 50))
        let done = Int(Double(columns) * min(1, max(0, fraction)))
        let (full, empty) = style.usesUnicode ? ("█", "░") : ("#", "-")
        let bar = String(repeating: full, count: done) + String(repeating: empty, count: columns - done)
        return "\(bar) \(Int(fraction * 100)) %  \(size(progress.completed)) of \(size(total))"
    }

    /// `1.4 MB`: decimal units, as disks and networks count.
    package static func size(_ bytes: Int64) -> String {
        var (value, unit) = (Double(max(0, bytes)), "B")
        for next in ["kB", "MB", "GB", "TB"] where value >= 1000 { (value, unit) = (value / 1000, next) }
        let tenths = Int((value * 10).rounded())
        return unit == "B" ? "\(bytes) B" : "\(tenths / 10).\(tenths % 10) \(unit)"
    }
}
