extension BitIndex {
  /// Traps where the structure differs from the description at `CountedTree`, or where a leaf has set bits beyond its
  /// count.
  package func checkInvariants() {
    let tree = tree
    tree.checkInvariants { leaf, count in
      precondition(tree.leaves[leaf].isConsistent(count: count), "the counts of a leaf of \(count) are wrong")
    }
  }

  /// Checks the invariants where the trait `InternalChecks` is on.
  @inline(__always)
  func checkAfterMutation() {
    #if InternalChecks
      checkUnlessCounting { checkInvariants() }
    #endif
  }
}
