/// Why a benchmark could not measure.
enum BenchmarkError: Error, CustomStringConvertible {
    case call(String, errno: Int32)
    case command(String, status: Int32, output: String)
    case silent(String, waitedFor: String)
    case unexpected(String)

    var description: String {
        switch self {
        case .call(let call, let errno): "\(call) failed with errno \(errno)"
        case .command(let command, let status, let output): "\(command) ended with status \(status): \(output)"
        case .silent(let program, let event): "\(program) said nothing in time; waited for \(event)"
        case .unexpected(let text): text
        }
    }
}
