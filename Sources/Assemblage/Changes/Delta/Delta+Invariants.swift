extension Delta {
  /// Checks that the delta is canonical, if the trait `InternalChecks` is on.
  @inline(__always)
  func checkInvariants() {
    #if InternalChecks
      checkCanonicalForm()
    #endif
  }

  #if InternalChecks
    private func checkCanonicalForm() {
      guard case .several(let several) = storage else { return }
      let single = several.removals.count + several.insertions.count + several.updates.count
      require(single > 1 || !several.moves.isEmpty, "Delta: one range is stored as several: \(self).")
      for list in [several.removals, several.insertions, several.updates] {
        for (index, range) in list.enumerated() {
          require(!range.isEmpty && range.lowerBound >= 0, "Delta: an empty or negative range: \(self).")
          require(
            index == 0 || list[index - 1].upperBound < range.lowerBound, "Delta: not ascending: \(self).")
        }
      }
      require(
        RangeLists.intersection(several.updates, several.insertions).isEmpty,
        "Delta: an inserted element is updated: \(self).")
      let extent = several.oldExtent
      let again = Delta(
        pieces: several.pieces(oldCount: extent), oldCount: extent,
        newCount: extent + several.countChange, updates: several.updates)
      require(again == self, "Delta: not canonical: \(self), which is \(again).")
    }
  #endif
}
