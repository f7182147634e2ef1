extension ResultsNode where Object: Identifiable & Equatable {
  /// Creates a node of values, which are identified by their ids and updated where they are not equal.
  ///
  /// - Parameter controller: the controller, which has loaded its contents. The node keeps the controller alive.
  /// - Complexity: O(n) for n objects.
  public convenience init(_ controller: any ResultsController<Object>) { self.init(controller, id: { $0.id }) }
}
