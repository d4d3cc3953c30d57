import CSpawn
import Glibc
import SystemPackage

/// A program that was started, in a process group of its own and with nothing of this process but what it is given.
///
/// By calls of its own and not by a package: swift-subprocess brings all of Foundation, and posix_spawn(3) sets no limit.
struct SpawnedProgram: Sendable {
    /// Its process, and its process group.
    let id: pid_t
    /// Ready to be read once it has ended.
    let end: CInt
    /// What it prints on its standard output and its standard error. Reading does not wait.
    let output: CInt

    /// Starts a program. It waits until the program has begun, which takes as long as its file takes to be read.
    ///
    /// - Parameters:
    ///   - command: The program by its path, and its arguments.
    ///   - environment: All of its environment, `NAME=VALUE` each.
    ///   - input: What it reads on its standard input: a file, so that a program that does not read it delays nothing.
    static func start(
        _ command: [String], environment: [String], input: [UInt8]
    ) throws(Errno) -> SpawnedProgram {
        let file = try memoryFile(input)
        defer { close(file) }
        let (reader, writer) = try pipe()
        defer { close(writer) }
        do throws(Errno) {
            let id = try spawn(command, environment, streams: (file, writer, writer))
            return SpawnedProgram(id: id, end: try descriptor(of: id), output: reader)
        } catch {
            close(reader)
            throw error
        }
    }

    /// Sends a signal to the program, and to what it has started in its process group, which it may have left itself.
    func signal(_ signal: CInt) {
        kill(-id, signal)
        kill(id, signal)
    }

    /// Ends what it has left behind in its process group, gives its descriptors back, and tells how it ended. To be called once
    /// ``end`` is ready: as long as the status is not read, the number of the group is no other's.
    func conclude() -> HookOutcome {
        signal(SIGKILL)
        close(end)
        close(output)
        return Self.outcome(of: id)
    }

    // MARK: Parts

    /// Reads the status of a program that has ended or was killed. The first look finds it where ``end`` was ready. Only one that
    /// is given up at the end of the service may take longer, in a call of the kernel's that no signal ends: it is given a second.
    private static func outcome(of id: pid_t) -> HookOutcome {
        defer { endLeftovers(of: id) }
        var status: CInt = 0
        for _ in 0..<1000 {
            let ended = unsafe waitpid(id, &status, WNOHANG)
            if ended == id { return HookOutcome(status: status) }
            if ended < 0, errno != EINTR { return .notStarted(Errno(rawValue: errno)) }
            // No descriptor becomes ready and no signal comes for what was killed: it is looked for until its second is over.
            usleep(1000)
        }
        return .killed(signal: SIGKILL)
    }

    /// Takes what a program has left behind in its process group out of the table of processes; it has had SIGKILL.
    /// Where this process is the first of a container, that has become its child, and no other process would do it.
    /// Elsewhere it has none there, which the first look tells.
    private static func endLeftovers(of id: pid_t) {
        var looks = 0
        while looks < 100 {
            let ended = waitpid(-id, nil, WNOHANG)
            if ended < 0, errno != EINTR { return }
            guard ended == 0 else { continue }
            looks += 1
            // Of a kill there is no other word, and it takes the kernel a moment: a tenth of a second is waited at most.
            usleep(1000)
        }
    }

    /// In a process group of its own, no signal blocked or ignored, and with the limit of files that this process was given: it
    /// has raised its own, which programs of an older kind take badly.
    private static func spawn(
        _ command: [String], _ environment: [String], streams: (CInt, CInt, CInt)
    ) throws(Errno) -> pid_t {
        var arguments = unsafe command.map { unsafe strdup($0) } + [nil]
        var variables = unsafe environment.map { unsafe strdup($0) } + [nil]
        defer { unsafe (arguments + variables).forEach { unsafe free($0) } }
        var id: pid_t = 0
        let files = DescriptorLimit.beforeRaise.map { rlim_t($0) } ?? .max
        let failure = unsafe arguments.withUnsafeMutableBufferPointer { arguments in
            unsafe variables.withUnsafeMutableBufferPointer { variables in
                var start = unsafe netwatch_start(
                    path: arguments[0], arguments: arguments.baseAddress, variables: variables.baseAddress,
                    streams: streams, files: files)
                return unsafe netwatch_spawn(&start, &id)
            }
        }
        guard failure == 0 else { throw Errno(rawValue: failure) }
        return id
    }

    private static func descriptor(of id: pid_t) throws(Errno) -> CInt {
        let descriptor = netwatch_pidfd_open(id)
        guard descriptor < 0 else { return descriptor }
        let error = Errno(rawValue: errno)
        // How it ends could not be seen.
        kill(-id, SIGKILL)
        kill(id, SIGKILL)
        _ = outcome(of: id)
        throw error
    }

    private static func pipe() throws(Errno) -> (reader: CInt, writer: CInt) {
        var ends: [CInt] = [0, 0]
        guard unsafe Glibc.pipe(&ends) == 0 else { throw Errno(rawValue: errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
        return (ends[0], ends[1])
    }

    /// A file in memory with these bytes, which is sealed against any change.
    private static func memoryFile(_ bytes: [UInt8]) throws(Errno) -> CInt {
        let file = unsafe netwatch_memory_file("netwatch-event")
        guard file >= 0 else { throw Errno(rawValue: errno) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe write(file, $0.baseAddress, $0.count) }
            guard count > 0 else {
                defer { close(file) }
                throw Errno(rawValue: errno)
            }
            rest = rest.dropFirst(count)
        }
        lseek(file, 0, SEEK_SET)
        _ = netwatch_seal(file)
        return file
    }
}
