extension TreeNode {
  /// Calls a closure when the node, or anything below it, has changed, for as long as the node lives.
  ///
  /// It is `observe(_:)` without a token: nobody has to keep anything, and nothing here keeps the node alive. The node
  /// keeps the closure.
  ///
  /// - Parameter handler: receives the change. It must not capture the node.
  /// - Returns: a closure that delivers a waiting change at once. It may be called while the node lives.
  /// - Complexity: O(1).
  package func observeWhileAlive(_ handler: @escaping (ChangeSet) -> Void) -> () -> Void {
    let observer = addObserver(handler)
    return { [weak observer] in observer?.catchUp() }
  }
}
