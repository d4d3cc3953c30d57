import Foundation
import Glibc
import RequestCore
import Synchronization
import SystemPackage
import TestSupport
import Testing

@Suite("The last step of a download")
struct FilePlacementTests {
    let folder: TemporaryFolder
    var source: FilePath { folder.path.appending("source") }
    var target: FilePath { folder.path.appending("target") }

    init() throws {
        folder = try TemporaryFolder()
        _ = try folder.write(Array("whole".utf8), to: "source")
    }

    /// What a file system does not know.
    enum Lack: CaseIterable {
        case nothing
        case renaming
        case renamingAndSecondNames

        var calls: FilePlacement.Calls {
            var calls = FilePlacement.Calls()
            if self != .nothing { calls.renameExclusively = { _, _ in .invalidArgument } }
            if self == .renamingAndSecondNames { calls.link = { _, _ in .notPermitted } }
            return calls
        }
    }

    func place(_ calls: FilePlacement.Calls, replacesFile: Bool = false) throws(RequestError) {
        guard let file = try? FileDescriptor.open(source, .writeOnly) else { return }
        try FilePlacement(file, at: source, to: target, replacesFile: replacesFile, calls: calls).carryOut()
    }

    func text(_ path: FilePath) -> String? { try? String(contentsOfFile: path.string, encoding: .utf8) }

    @Test("the file gets its name, whatever the file system lacks", arguments: Lack.allCases)
    func placed(lack: Lack) throws {
        try place(lack.calls)
        #expect(text(target) == "whole")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path.string) == ["target"])
    }

    @Test(
        "a file that is there is left alone, and the new one too, whatever the file system lacks",
        arguments: Lack.allCases)
    func occupied(lack: Lack) throws {
        _ = try folder.write(Array("another's".utf8), to: "target")
        let error = #expect(throws: RequestError.self) { try place(lack.calls) }
        #expect(error?.reason == .fileUnwritable(path: "\(target)", call: "rename", .fileExists))
        #expect(text(target) == "another's")
        #expect(text(source) == "whole")
    }

    @Test("a link that stands in the way is not followed", arguments: Lack.allCases)
    func dangling(lack: Lack) throws {
        #expect(symlink("elsewhere", target.string) == 0)
        #expect(throws: RequestError.self) { try place(lack.calls) }
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: target.string) == "elsewhere")
        #expect(text(source) == "whole")
    }

    @Test("of many who want one name at the same time, one gets it", arguments: Lack.allCases)
    func contended(lack: Lack) async throws {
        let calls = lack.calls
        let winners = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<16 {
                let source = try folder.write(Array("\(number)".utf8), to: "source-\(number)")
                let file = try FileDescriptor.open(source, .writeOnly)
                let placement = FilePlacement(file, at: source, to: target, replacesFile: false, calls: calls)
                group.addTask {
                    do { try placement.carryOut() } catch { return false }
                    return true
                }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(winners == 1)
        #expect(text(target)?.isEmpty == false)
    }

    @Test("a second name whose making was done and told as failed counts as made")
    func lostReply() throws {
        var calls = Lack.renaming.calls
        let link = calls.link
        calls.link = { from, to in link(from, to) ?? .fileExists }
        try place(calls)
        #expect(text(target) == "whole")
        #expect(text(source) == nil)
    }

    @Test("the content is on the disk before the name is given, and the folder after", arguments: [false, true])
    func order(replacesFile: Bool) throws {
        if replacesFile { _ = try folder.write(Array("old".utf8), to: "target") }
        let seen = Mutex<[String]>([])
        var calls = FilePlacement.Calls()
        let (source, target) = (source, target)
        let isPlaced: @Sendable () -> Bool = {
            (try? String(contentsOfFile: target.string, encoding: .utf8)) == "whole"
        }
        calls.sync = { descriptor in
            var status = stat()
            fstat(descriptor.rawValue, &status)
            let kind = status.st_mode & S_IFMT == S_IFDIR ? "folder" : "file"
            seen.withLock { $0.append("\(kind) \(isPlaced() ? "after" : "before")") }
            return fsync(descriptor.rawValue) == 0 ? nil : Errno(rawValue: errno)
        }
        try place(calls, replacesFile: replacesFile)
        #expect(seen.withLock { $0 } == ["file before", "folder after"])
        #expect(text(source) == nil)
    }

    @Test("content that the disk does not take gets no name")
    func unsynced() throws {
        var calls = FilePlacement.Calls()
        calls.sync = { _ in .ioError }
        let error = #expect(throws: RequestError.self) { try place(calls) }
        #expect(error?.reason == .fileUnwritable(path: "\(source)", call: "fsync", .ioError))
        #expect(text(target) == nil)
    }

    @Test("a file system that has no disk is no failure")
    func unsyncable() throws {
        var calls = FilePlacement.Calls()
        calls.sync = { _ in .invalidArgument }
        try place(calls)
        #expect(text(target) == "whole")
    }
}
