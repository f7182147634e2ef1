/// One edge of the graph, as its source holds it.
@safe
struct Dependent {
  /// The dependent's hub, not retained: a dependent unlinks itself from its sources when it dies.
  unowned(unsafe) let hub: NodeHub

  /// The slot of the source in the dependent, or `NodeHub.partSlot`.
  let slot: Int
}

/// One edge of the graph, as its dependent holds it.
struct SourceLink {
  /// The hub of the source.
  let hub: NodeHub

  /// The place of this edge among the edges of the source; negative where the source does not hold the edge: see
  /// `NodeHub.wakePart()`.
  var place: Int
}

/// The edges that lead from a node to its dependents.
///
/// Each dependent knows the place of its edges here, so removal takes the same time however many edges there are. The
/// last edge then takes the free place.
struct Dependents {
  /// The edges to nodes that derive from this one.
  private(set) var views = FirstAndRest<Dependent>()

  /// The edges to parts of this node that another node derives from, or that are observed.
  private(set) var parts: [Dependent] = []

  /// Whether there is no edge.
  var isEmpty: Bool { views.isEmpty && parts.isEmpty }

  /// The only edge, where that leads to a view.
  var onlyView: Dependent? { parts.isEmpty ? views.only : nil }

  /// Calls a closure with each edge, first with the edges to views.
  func forEach(_ body: (Dependent) -> Void) {
    for index in views.indices { body(views[index]) }
    for part in parts { body(part) }
  }

  /// Adds an edge, and returns its place.
  mutating func append(_ dependent: Dependent) -> Int {
    if dependent.slot == NodeHub.partSlot {
      parts.append(dependent)
      return parts.count - 1
    }
    views.append(dependent)
    return views.count - 1
  }

  /// Removes an edge.
  ///
  /// - Parameters:
  ///   - place: the place of the edge.
  ///   - slot: its slot.
  mutating func remove(at place: Int, slot: Int) {
    if slot == NodeHub.partSlot {
      if let moved = parts.removeBySwap(at: place) { unsafe moved.hub.state.value.sources[0]!.place = place }
    } else if let moved = views.removeBySwap(at: place) {
      unsafe moved.hub.state.value.sources[moved.slot]!.place = place
    }
  }
}
