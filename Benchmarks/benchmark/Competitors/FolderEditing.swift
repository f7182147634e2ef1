/// A view of a numbered tree whose folders are edited.
protocol FolderEditing: Measured, Notifying {
  /// Inserts a leaf, -1, as the first child of a folder.
  mutating func insert(inFolder number: Int)
  mutating func removeFirst(ofFolder number: Int)
}

extension FolderEditing {
  /// A leaf is inserted in a random folder, and one observer is notified.
  @inline(__always)
  static func edit(_ operation: String, _ makeView: @escaping (NumberedTree) -> Self) -> Work {
    work(operation) { context in
      let tree = NumberedTree(n: context.n)
      var view = makeView(tree)
      let received = view.observe()
      return Trial(
        (view, context.places(in: tree.folders.count), received), mostOperations: max(1, context.n / 4),
        reset: { state, operations in for _ in 0..<operations { state.0.removeFirst(ofFolder: state.1.takeBack()) } },
        run: { state, operations in
          for _ in 0..<operations { state.0.insert(inFolder: state.1.next()) }
          return state.2.sum
        })
    }
  }
}
