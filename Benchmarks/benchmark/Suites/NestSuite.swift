extension Suite {
  /// n rows in no order, of which each names its parent: a tree of fan-out 10.
  static var nest: Suite {
    Suite("nest") {
      Operation("build", build(NestSubject.self), build(ParentDictionary.self))
      Operation("insert", insert(NestSubject.self), insert(ParentDictionary.self))
      Operation("change-parent", changeParent(NestSubject.self), changeParent(ParentDictionary.self))
    }
  }

  /// The rows of a numbered tree, 1...n, shuffled; the children of 0 have no parent.
  private static func rows(_ context: inout Context) -> [NestRow] {
    (1...context.n).shuffled(using: &context.generator).map { id in
      let parent = (id - 1) / 10
      return NestRow(id: id, parent: parent == 0 ? nil : parent)
    }
  }

  /// Those that have children, at least one.
  private static func folderCount(_ context: Context) -> Int { max(1, (context.n - 1) / 10) }

  /// The tree of rows that are there, and a look at all of it.
  @inline(__always)
  private static func build<Nest: Nesting>(_: Nest.Type) -> Subject {
    Subject(Nest.self) { context in
      Trial(rows(&context), elementsPerOperation: context.n) { rows in Nest(rows).total }
    }
  }

  /// A row is appended below a random one that has children, and one observer told.
  @inline(__always)
  private static func insert<Nest: Nesting>(_: Nest.Type) -> Subject {
    Subject(Nest.self) { context in
      var nest = Nest(rows(&context))
      let heard = Heard()
      nest.observer = { heard.sum &+= $0 }
      return Trial(
        (nest, context.places(in: folderCount(context)), context.n, heard), mostOperations: max(1, context.n / 4),
        reset: { state, operations in for _ in 0..<operations { state.0.removeLast() } },
        run: { state, operations in
          for _ in 0..<operations {
            state.2 += 1
            state.0.append(NestRow(id: state.2, parent: state.1.next() + 1))
          }
          return state.3.sum
        })
    }
  }

  /// A random row without children gets another parent, and one observer is told.
  @inline(__always)
  private static func changeParent<Nest: Nesting>(_: Nest.Type) -> Subject {
    Subject(Nest.self) { context in
      let rows = rows(&context)
      var nest = Nest(rows)
      let heard = Heard()
      nest.observer = { heard.sum &+= $0 }
      let folders = folderCount(context)
      let leaves = rows.indices.filter { rows[$0].id > folders }
      guard !leaves.isEmpty else { return Trial(0) { _, _ in 0 } }
      let places = (
        context.places(in: leaves.count), context.places(in: folders)
      )
      return Trial((nest, places, leaves, heard)) { state, operations in
        for _ in 0..<operations {
          state.0.setParent(state.1.1.next() + 1, at: state.2[state.1.0.next()])
        }
        return state.3.sum
      }
    }
  }
}
