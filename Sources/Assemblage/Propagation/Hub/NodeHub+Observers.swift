extension NodeHub {
  /// Adds an observer, which receives what changes from now on.
  func add(_ observer: Observer) {
    prepareForReading()
    wakePart()
    state.value.observers.append(observer)
    addListener()
  }

  func remove(_ observer: Observer) {
    guard let index = state.value.observers.firstIndex(where: { $0 === observer }) else { return }
    state.value.observers.remove(at: index)
    removeListener()
    sleepPart()
  }

  /// Makes changes below the children of the sources reach this node even while no observer listens to it.
  ///
  /// For nodes whose own contents depend on them, as an outline's rows do. Call it before linking the sources.
  func listenToNestedChanges() { addListener() }

  /// Counts one more listener; the first one also counts for the sources.
  func addListener() {
    var open = [self]
    while let hub = open.popLast() {
      hub.state.value.listeners += 1
      if hub.state.value.listeners == 1 { open.append(contentsOf: hub.state.value.sources.lazy.compactMap { $0 }) }
    }
  }

  /// Counts one listener less; without the last one, the sources have one less as well.
  func removeListener() {
    var open = [self]
    while let hub = open.popLast() {
      hub.state.value.listeners -= 1
      if hub.state.value.listeners == 0 { open.append(contentsOf: hub.state.value.sources.lazy.compactMap { $0 }) }
    }
  }
}
