#if Service
import ArgumentParser
import NetwatchService

@main
struct Main {
    static func main() async {
        do {
            try StandardStreams.prepare()
            try await run()
        } catch {
            Ending(error).exit()
        }
    }

    @concurrent private static func run() async throws {
        var command = try NetwatchCommand.parseAsRoot()
        if var command = command as? any AsyncParsableCommand {
            try await command.run()
        } else {
            try command.run()
        }
    }
}
#else
@main
struct Main {
    static func main() {
        print("netwatch: built without its command line; build it with the trait Service, which is on by default")
    }
}
#endif
