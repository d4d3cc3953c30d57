import ArgumentParser
import NetwatchService
import RequestEngine

@main
struct Main {
    static func main() {
        OpenSSLLibrary.prepare()
        do {
            try StandardStreams.prepare()
            try NetwatchCommand.checkCommand(ProgramArguments.all)
            var command = try NetwatchCommand.parseAsRoot(ProgramArguments.all)
            try command.run()
        } catch {
            Ending(error).exit()
        }
    }
}
