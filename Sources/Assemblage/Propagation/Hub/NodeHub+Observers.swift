extension NodeHub {
  /// Adds an observer, which receives what changes from now on.
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
    // The last one takes the place: observers are called by their numbers, whatever their order here.
    state.value.observers.removeBySwap(at: place)?.place = place
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
      if hub.state.value.listeners == 1 { open.append(contentsOf: hub.state.value.sources.lazy.compactMap { $0?.hub }) }
    }
  }

  /// Counts one listener less; without the last one, the sources have one less as well.
  func removeListener() {
    var open = [self]
    while let hub = open.popLast() {
      hub.state.value.listeners -= 1
      if hub.state.value.listeners == 0 { open.append(contentsOf: hub.state.value.sources.lazy.compactMap { $0?.hub }) }
    }
  }
}
