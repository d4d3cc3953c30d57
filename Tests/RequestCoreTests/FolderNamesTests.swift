import Foundation
import RequestEngine
import SystemPackage
import TestSupport
import Testing

/// Under the address sanitizer, too, which sees where an entry is read beyond its end: the kernel fills its buffer with entries
/// to the last byte.
@Suite("The names in a folder")
struct FolderNamesTests {
    @Test(
        "are all told, and whole, in a folder that takes the kernel several answers", arguments: [(4, 1400), (77, 400)])
    func all(length: Int, count: Int) throws {
        let folder = try TemporaryFolder()
        let names = (0..<count).map { number in
            let digits = String(number, radix: 36)
            return String(repeating: "_", count: length - digits.count) + digits
        }
        for name in names {
            try FileDescriptor.open(
                folder.path.appending(name), .writeOnly, options: .create, permissions: .ownerReadWrite
            )
            .close()
        }
        var found = try FolderNames(folder.path.string)
        var told: [String] = []
        while let name = found.next() { told.append(name) }
        #expect(told.count == names.count + 2)
        #expect(Set(told) == Set(names).union([".", ".."]))
    }

    @Test("are an error where there is no folder")
    func none() {
        #expect(throws: Errno.noSuchFileOrDirectory) { _ = try FolderNames("/nonexistent") }
        #expect(throws: Errno.notDirectory) { _ = try FolderNames("/dev/null") }
    }
}
