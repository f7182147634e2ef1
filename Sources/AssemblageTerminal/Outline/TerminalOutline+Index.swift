import AssemblageSearch

// The index of a search, which is made in slices of time.
extension TerminalOutline {
  /// The longest time for which keys wait for work in slices.
  static var slice: Duration { .milliseconds(8) }
  /// The time between two drawings of the progress of work in slices.
  static var drawingInterval: Duration { .milliseconds(40) }

  /// Makes the index, unless there is one.
  ///
  /// With few elements, the index is complete on return.
  func prepareIndex() {
    if index != nil { return }
    let index = contents.makeIndex(hiding)
    self.index = index
    if contents.total() <= promptElements {
      while index.readTexts(atMost: .max) {}
      return
    }
    indexReading = Task { [weak self] in
      var drawn = ContinuousClock.now
      while !Task.isCancelled, Self.readSlice(of: index) {
        if ContinuousClock.now - drawn > Self.drawingInterval {
          if self?.search?.isPending == true { self?.needsDrawing() }
          drawn = .now
        }
        await Task.yield()
      }
      if !Task.isCancelled { self?.indexReading = nil }
    }
  }

  private static func readSlice(of index: TextIndex<Element>) -> Bool {
    let end = ContinuousClock.now + slice
    repeat {
      if !index.readTexts(atMost: 2_048) { return false }
    } while ContinuousClock.now < end
    return true
  }

  /// Drops the index, because other elements have a text now.
  func dropIndex() {
    indexReading?.cancel()
    (index, indexReading) = (nil, nil)
  }
}
