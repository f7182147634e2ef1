extension NodeHub {
  /// Adds an observer, which is notified of all changes from now on.
  func add(_ observer: Observer) {
    prepareForReading()
    wakePart()
    observer.place = state.value.observers.count
    state.value.observers.append(observer)
    addListener()
  }

  func remove(_ observer: Observer) {
    guard let place = observer.place else { return }
    observer.place = nil
    // The last observer gets the free place: observers are called in the order of their numbers, not in the order of
    // the array.
    state.value.observers.removeBySwap(at: place)?.place = place
    removeListener()
    sleepPart()
  }

  /// Makes changes below the children of the sources reach this node even while no observer listens to it.
  ///
  /// This is for nodes whose own contents depend on such changes, as an outline's rows do. Call this before linking the
  /// sources.
  func listenToNestedChanges() { addListener() }

  /// Counts one more listener; the first one also counts for the sources.
  func addListener() {
    var open = [self]
    while let hub = open.popLast() {
      hub.state.value.listeners += 1
      if hub.state.value.listeners == 1 { open.append(contentsOf: hub.state.value.sources.lazy.compactMap { $0?.hub }) }
    }
  }

  /// Counts one listener less; when the last one leaves, each source counts one less too.
  func removeListener() {
    var open = [self]
    while let hub = open.popLast() {
      hub.state.value.listeners -= 1
      if hub.state.value.listeners == 0 { open.append(contentsOf: hub.state.value.sources.lazy.compactMap { $0?.hub }) }
    }
  }
}
