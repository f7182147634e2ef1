extension BitIndex {
  /// Traps where the structure is not as `CountedTree` describes it, or a leaf has set bits beyond its count.
  package func checkInvariants() {
    let tree = tree
    tree.checkInvariants { leaf, count in
      for bit in count..<BitLeaves.capacity {
        precondition(
          tree.leaves.words(leaf).bits(at: bit, count: 1) == 0, "bit \(bit) of a leaf of \(count) is set")
      }
    }
  }

  /// Checks the invariants where the trait `InternalChecks` is on.
  @inline(__always)
  func checkAfterMutation() {
    #if InternalChecks
      checkInvariants()
    #endif
  }
}
