import Assemblage
import Foundation

extension Suite {
  /// A tree of fan-out 10 with n rows, all expanded; 1,111,110 rows are six full levels.
  static var outline: Suite {
    Suite(
      name: "outline",
      operations: [
        Operation(name: "expand-all", subjects: [expandAll(OutlineSubject.self), expandAll(FlatArray.self)]),
        Operation(name: "collapse", subjects: [collapse(OutlineSubject.self), collapse(FlatArray.self)]),
        Operation(name: "row", subjects: [row(OutlineSubject.self), row(FlatArray.self)]),
        Operation(name: "path-of-row", subjects: [pathOfRow(OutlineSubject.self), pathOfRow(FlatArray.self)]),
        Operation(name: "row-of-path", subjects: [rowOfPath(OutlineSubject.self), rowOfPath(FlatArray.self)]),
        Operation(name: "toggle", subjects: [toggle(OutlineSubject.self), toggle(FlatArray.self)]),
        Operation(name: "edit", subjects: [edit(OutlineSubject.self), edit(FlatArray.self)]),
      ])
  }

  /// Everything is expanded after everything was collapsed.
  @inline(__always)
  private static func expandAll<Outline: Outlining>(_: Outline.Type) -> Subject {
    Subject(Outline.name) { context in
      var outline = Outline(NumberedTree(n: context.n))
      outline.collapseAll()
      return Trial(
        outline, mostOperations: 1, reset: { outline, _ in outline.collapseAll() },
        run: { outline, operations in
          var sum = 0
          for _ in 0..<operations { sum &+= outline.expandAll() }
          return sum
        })
    }
  }

  /// The first row is collapsed, with a tenth of all rows below it, and expanded again.
  @inline(__always)
  private static func collapse<Outline: Outlining>(_: Outline.Type) -> Subject {
    Subject(Outline.name) { context in
      var outline = Outline(NumberedTree(n: context.n))
      let heard = Heard()
      outline.observer = { heard.sum &+= $0 }
      return Trial((outline, heard)) { state, operations in
        for _ in 0..<operations { state.0.toggle(row: 0) }
        return state.1.sum
      }
    }
  }

  @inline(__always)
  private static func row<Outline: Outlining>(_: Outline.Type) -> Subject {
    Subject(Outline.name) { context in
      var context = context
      let outline = Outline(NumberedTree(n: context.n))
      return Trial((outline, Places(in: context.n, using: &context.generator))) { state, operations in
        var sum = 0
        for _ in 0..<operations { sum &+= state.0.element(at: state.1.next()) }
        return sum
      }
    }
  }

  @inline(__always)
  private static func pathOfRow<Outline: Outlining>(_: Outline.Type) -> Subject {
    Subject(Outline.name) { context in
      var context = context
      let outline = Outline(NumberedTree(n: context.n))
      return Trial((outline, Places(in: context.n, using: &context.generator))) { state, operations in
        var sum = 0
        for _ in 0..<operations { sum &+= state.0.path(ofRow: state.1.next()) }
        return sum
      }
    }
  }

  @inline(__always)
  private static func rowOfPath<Outline: Outlining>(_: Outline.Type) -> Subject {
    Subject(Outline.name) { context in
      var context = context
      let tree = NumberedTree(n: context.n)
      // Not more than some, so that the paths do not take the outline's place in the caches.
      let paths = (0..<4096).map { _ in
        IndexPath(indexes: tree.path(of: Int.random(in: 1...tree.n, using: &context.generator)))
      }
      return Trial((Outline(tree), paths, 0)) { state, operations in
        var sum = 0
        for _ in 0..<operations {
          state.2 = (state.2 + 1) & 4095
          sum &+= state.0.row(ofPath: state.1[state.2])
        }
        return sum
      }
    }
  }

  /// A random row is collapsed, if it is a folder, and expanded again.
  @inline(__always)
  private static func toggle<Outline: Outlining>(_: Outline.Type) -> Subject {
    Subject(Outline.name) { context in
      var context = context
      var outline = Outline(NumberedTree(n: context.n))
      let heard = Heard()
      outline.observer = { heard.sum &+= $0 }
      return Trial((outline, Places(in: context.n, using: &context.generator), heard)) { state, operations in
        for _ in 0..<operations { state.0.toggle(row: state.1.next()) }
        return state.2.sum
      }
    }
  }

  /// A leaf is inserted in a random folder, and one observer told its row.
  @inline(__always)
  private static func edit<Outline: Outlining>(_: Outline.Type) -> Subject {
    Subject(Outline.name) { context in
      var context = context
      let tree = NumberedTree(n: context.n)
      var outline = Outline(tree)
      let heard = Heard()
      outline.observer = { heard.sum &+= $0 }
      return Trial(
        (outline, Places(in: tree.folders.count, using: &context.generator), heard),
        mostOperations: max(1, context.n / 4),
        reset: { state, operations in
          for _ in 0..<operations { state.0.removeFirst(ofFolder: state.1.takeBack()) }
        },
        run: { state, operations in
          for _ in 0..<operations { state.0.insert(-1, inFolder: state.1.next()) }
          return state.2.sum
        })
    }
  }
}
