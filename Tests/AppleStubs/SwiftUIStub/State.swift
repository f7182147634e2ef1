public import Observation

// MARK: Bindings

@propertyWrapper public struct Binding<Value> {
  private let get: () -> Value
  private let set: (Value) -> Void

  /// The closures are `Sendable`, as Apple's are: SwiftUI may keep them anywhere.
  public init(
    get: @escaping @MainActor @Sendable () -> Value, set: @escaping @MainActor @Sendable (Value) -> Void
  ) {
    self.get = { MainActor.assumeIsolated { Transferred(get()) }.value }
    self.set = { value in
      let value = Transferred(value)
      MainActor.assumeIsolated { set(value.value) }
    }
  }

  public var wrappedValue: Value {
    get { get() }
    nonmutating set { set(newValue) }
  }
  public var projectedValue: Self { self }
}

/// A value that stays on its thread.
private struct Transferred<Value>: @unchecked Sendable {
  let value: Value
  init(_ value: Value) { self.value = value }
}

@propertyWrapper @dynamicMemberLookup public struct Bindable<Value: AnyObject & Observable> {
  public let wrappedValue: Value
  public init(_ wrappedValue: Value) { self.wrappedValue = wrappedValue }
  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
  public var projectedValue: Self { self }

  @MainActor
  public subscript<Subject>(
    dynamicMember path: ReferenceWritableKeyPath<Value, Subject>
  ) -> Binding<Subject> {
    Binding { @MainActor in
      wrappedValue[keyPath: path]
    } set: { @MainActor in
      wrappedValue[keyPath: path] = $0
    }
  }
}

// MARK: Animations

public struct Animation: Hashable, Sendable {
  let name: String
  public static let `default` = Animation(name: "default")
  public static let linear = Animation(name: "linear")

  /// The animation of the call of `withAnimation` that is under way.
  @TaskLocal static var current: Animation?
}

public func withAnimation<Result>(_ animation: Animation? = .default, _ body: () throws -> Result) rethrows -> Result {
  try Animation.$current.withValue(animation, operation: body)
}
