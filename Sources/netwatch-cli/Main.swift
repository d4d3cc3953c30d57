#if Service
import ArgumentParser
import NetwatchService
import RequestEngine
#endif

@main
struct Main {
    static func main() {
        #if Service
        OpenSSLLibrary.prepare()
        do {
            try StandardStreams.prepare()
            var command = try NetwatchCommand.parseAsRoot(ProgramArguments.all)
            try command.run()
        } catch {
            Ending(error).exit()
        }
        #else
        print("netwatch: built without its command line; build it with the trait Service, which is on by default")
        #endif
    }
}
