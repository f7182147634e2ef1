/// One edge of the graph as its source sees it.
@safe
struct Dependent {
  /// The dependent's hub. It is not retained: a dependent unlinks itself from its sources when it dies.
  unowned(unsafe) let hub: NodeHub

  /// The slot under which the dependent knows this source.
  let slot: Int
}

/// The nodes that derive from one, in the order in which they linked it.
typealias Dependents = FirstAndRest<Dependent>
