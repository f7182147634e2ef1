extension Delta {
  /// The difference of two collections of `Identifiable` elements; a survivor whose values are not equal is updated.
  ///
  /// ```swift
  /// Delta(from: former, to: loaded)      // like Delta(from: former, to: loaded, id: { $0.id })
  /// ```
  ///
  /// - Complexity: that of `init(from:to:id:areEqual:)`.
  @inlinable @inline(__always)
  public init<Element: Identifiable & Equatable>(
    from old: some Collection<Element>, to new: some Collection<Element>
  ) {
    self.init(from: old, to: new, id: { $0.id }, areEqual: ==)
  }
}
