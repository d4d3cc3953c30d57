/// A value in one place for all of its copies: for what is large, handed on by many, and changed by few.
///
/// A change makes a place of its own. Two that share theirs are equal without a look at the value.
struct Shared<Value: Sendable>: Sendable {
    private final class Place: Sendable {
        let value: Value

        init(_ value: Value) {
            self.value = value
        }
    }

    private var place: Place

    init(_ value: Value) {
        place = Place(value)
    }

    var value: Value {
        get { place.value }
        set { place = Place(newValue) }
    }
}

extension Shared: Equatable where Value: Equatable {
    static func == (left: Shared, right: Shared) -> Bool {
        left.place === right.place || left.place.value == right.place.value
    }
}

extension Shared: Hashable where Value: Hashable {
    func hash(into hasher: inout Hasher) {
        place.value.hash(into: &hasher)
    }
}
