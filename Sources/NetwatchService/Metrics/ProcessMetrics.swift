import Glibc
import Reachability

/// The process itself, by the names that Prometheus' own client libraries have for it.
enum ProcessMetrics {
    static var families: [MetricFamily] {
        [
            MetricFamily(
                "process_cpu_seconds_total", .counter, help: "Processor time used, of user and system together.",
                [.init(cpuSeconds)]),
            gauge("process_open_fds", "Open file descriptors.", openDescriptors),
            gauge("process_max_fds", "How many file descriptors may be open.", descriptorLimit),
            gauge("process_resident_memory_bytes", "Memory that is resident.", memory?.resident),
            gauge("process_virtual_memory_bytes", "Memory that is mapped.", memory?.virtual),
            gauge("process_threads", "Threads.", threads),
            gauge("process_start_time_seconds", "When the process was started.", startTime),
        ]
    }

    private static func gauge(_ name: String, _ help: String, _ value: Double?) -> MetricFamily {
        MetricFamily(name, .gauge, help: help, value.map { [.init($0)] } ?? [])
    }

    /// clock(3) counts millionths, as POSIX has it.
    private static var cpuSeconds: Double { Double(clock()) / 1e6 }

    private static var openDescriptors: Double? {
        guard let folder = unsafe opendir("/proc/self/fd") else { return nil }
        defer { unsafe closedir(folder) }
        var count = 0
        while unsafe readdir(folder) != nil { count += 1 }
        // Without ".", ".." and the one for reading the folder.
        return Double(max(0, count - 3))
    }

    private static var descriptorLimit: Double? {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return nil }
        return limit.rlim_cur == rlim_t.max ? .infinity : Double(limit.rlim_cur)
    }

    private static var memory: (virtual: Double, resident: Double)? {
        let pages = text("/proc/self/statm").split(separator: " ").prefix(2).compactMap { Double($0) }
        guard pages.count == 2 else { return nil }
        let size = Double(sysconf(CInt(_SC_PAGESIZE)))
        return (pages[0] * size, pages[1] * size)
    }

    private static var threads: Double? { field(20).flatMap { Double($0) } }

    /// It does not change, but a clock that is set does.
    private static var startTime: Double? {
        let line = text("/proc/stat").split(separator: "\n").first { $0.hasPrefix("btime ") }
        guard let boot = line.flatMap({ Double($0.dropFirst(6)) }), let ticks = field(22).flatMap({ Double($0) })
        else { return nil }
        return boot + ticks / Double(sysconf(CInt(_SC_CLK_TCK)))
    }

    /// A field of proc_pid_stat(5), counted from 1. The second, the program's name, may have blanks and brackets in it.
    private static func field(_ number: Int) -> Substring? {
        let stat = text("/proc/self/stat")
        guard let end = stat.lastIndex(of: ")") else { return nil }
        let fields = stat[end...].split(separator: " ")
        return fields.indices.contains(number - 2) ? fields[number - 2] : nil
    }

    /// What such a file says: the counts of many processors may stand before what is looked for.
    private static func text(_ path: String) -> String { TextFile.read(path, limit: 1 << 20) ?? "" }
}
