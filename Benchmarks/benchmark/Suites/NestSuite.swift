extension Suite {
  /// A nest of n rows in no order that give the ids of their parents: a tree of fan-out 10.
  static var nest: Suite { Suite("nest", of: NestSubject.works, ParentDictionary.works) }
}

extension Nesting {
  @WorkList @inline(__always)
  fileprivate static var works: [Work] {
    // Builds the tree of all rows, and reads the whole tree.
    work("build") { context in
      Trial(rows(&context), elementsPerOperation: context.n) { rows in Self(rows).total }
    }
    // A row is appended below a random row that has children, and one observer is notified.
    work("insert") { context in
      var nest = Self(rows(&context))
      let received = nest.observe()
      return Trial(
        (nest, context.places(in: folderCount(context)), context.n, received), mostOperations: max(1, context.n / 4),
        reset: { state, operations in for _ in 0..<operations { state.0.removeLast() } },
        run: { state, operations in
          for _ in 0..<operations {
            state.2 += 1
            state.0.append(NestRow(id: state.2, parent: state.1.next() + 1))
          }
          return state.3.sum
        })
    }
    // A random row without children gets another parent, and one observer is notified.
    work("change-parent") { context in
      let rows = rows(&context)
      var nest = Self(rows)
      let received = nest.observe()
      let folders = folderCount(context)
      let leaves = rows.indices.filter { rows[$0].id > folders }
      guard !leaves.isEmpty else { return Trial(0) { _, _ in 0 } }
      let places = (context.places(in: leaves.count), context.places(in: folders))
      return Trial((nest, places, leaves, received)) { state, operations in
        for _ in 0..<operations {
          state.0.setParent(state.1.1.next() + 1, at: state.2[state.1.0.next()])
        }
        return state.3.sum
      }
    }
  }

  /// The rows of a numbered tree, 1...n, shuffled. The children of 0 have no parent.
  private static func rows(_ context: inout Context) -> [NestRow] {
    (1...context.n).shuffled(using: &context.generator).map { id in
      let parent = (id - 1) / 10
      return NestRow(id: id, parent: parent == 0 ? nil : parent)
    }
  }

  /// The number of rows that have children, at least one.
  private static func folderCount(_ context: Context) -> Int { max(1, (context.n - 1) / 10) }
}
