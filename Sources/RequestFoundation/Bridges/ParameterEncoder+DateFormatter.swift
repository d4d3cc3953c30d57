public import Foundation
public import RequestCore

extension ParameterEncoder.DateStyle {
    /// As the formatter writes it.
    public static func formatted(_ formatter: DateFormatter) -> Self {
        .custom { .string(formatter.string(from: $0)) }
    }
}
