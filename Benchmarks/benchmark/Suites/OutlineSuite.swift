import Assemblage
import Foundation

extension Suite {
  /// A tree of fan-out 10 with n rows, all expanded; 1,111,110 rows are six full levels. And chains of n rows
  /// (`chain-…`).
  static var outline: Suite {
    Suite("outline") {
      Operation("build", build(OnBranches.self), build(OnForest.self), build(OnObjects.self), build(FlatArray.self))
      Operation(
        "expand-all", expandAll(OnBranches.self), expandAll(OnForest.self), expandAll(OnObjects.self),
        expandAll(FlatArray.self))
      Operation(
        "collapse", collapse(OnBranches.self), collapse(OnForest.self), collapse(OnObjects.self),
        collapse(FlatArray.self))
      Operation("row", row(OnBranches.self), row(OnForest.self), row(OnObjects.self), row(FlatArray.self))
      Operation(
        "row-full", fullRow(OnBranches.self), fullRow(OnForest.self), fullRow(OnObjects.self), fullRow(FlatArray.self))
      Operation(
        "window", window(OnBranches.self), window(OnForest.self), window(OnObjects.self), window(FlatArray.self))
      Operation("path-of-row", pathOfRow(OnBranches.self), pathOfRow(OnForest.self), pathOfRow(FlatArray.self))
      Operation("row-of-path", rowOfPath(OnBranches.self), rowOfPath(OnForest.self), rowOfPath(FlatArray.self))
      Operation("toggle", toggle(OnBranches.self), toggle(OnForest.self), toggle(FlatArray.self))
      Operation("edit", edit(OnBranches.self), edit(OnForest.self), edit(OnObjects.self), edit(FlatArray.self))
      Operation(
        "deep-edit", edit(OnBranches.self, isDeep: true), edit(OnForest.self, isDeep: true),
        edit(OnObjects.self, isDeep: true), edit(FlatArray.self, isDeep: true))
      Operation(
        "chain-row", row(OnBranches.self, isChain: true), row(OnForest.self, isChain: true),
        row(FlatArray.self, isChain: true))
      Operation(
        "chain-edit", edit(OnBranches.self, isDeep: true, isChain: true),
        edit(OnForest.self, isDeep: true, isChain: true), edit(FlatArray.self, isDeep: true, isChain: true))
    }
  }

  private typealias OnBranches = OutlineSubject<BranchTree>
  private typealias OnForest = OutlineSubject<ForestTree<Int>>
  private typealias OnObjects = OutlineSubject<ForestTree<NamedObject>>

  /// The tree and its outline, from nothing.
  @inline(__always)
  private static func build<Outline: Outlining>(_: Outline.Type) -> Subject {
    Subject(Outline.self) { context in
      Trial(NumberedTree(n: context.n), elementsPerOperation: context.n) { tree in
        Outline(tree).element(at: tree.n - 1)
      }
    }
  }

  /// Everything is expanded after everything was collapsed.
  @inline(__always)
  private static func expandAll<Outline: Outlining>(_: Outline.Type) -> Subject {
    Subject(Outline.self) { context in
      var outline = Outline(NumberedTree(n: context.n))
      outline.collapseAll()
      return Trial(
        outline, mostOperations: 1, reset: { outline, _ in outline.collapseAll() },
        run: { outline, operations in total(operations) { outline.expandAll() } })
    }
  }

  /// The first row is collapsed, with a tenth of all rows below it, and expanded again.
  @inline(__always)
  private static func collapse<Outline: Outlining>(_: Outline.Type) -> Subject {
    Subject(Outline.self) { context in
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
  private static func row<Outline: Outlining>(_: Outline.Type, isChain: Bool = false) -> Subject {
    Subject(Outline.self) { context in
      let outline = Outline(NumberedTree(n: context.n, isChain: isChain))
      return Trial((outline, context.places())) { state, operations in
        total(operations) { state.0.element(at: state.1.next()) }
      }
    }
  }

  /// All that is to be drawn of a random row.
  @inline(__always)
  private static func fullRow<Outline: Outlining>(_: Outline.Type) -> Subject {
    Subject(Outline.self) { context in
      let outline = Outline(NumberedTree(n: context.n))
      return Trial((outline, context.places())) { state, operations in
        total(operations) { state.0.row(at: state.1.next()) }
      }
    }
  }

  /// All that is to be drawn of fifty rows that begin at a random one; the time is that of a row.
  @inline(__always)
  private static func window<Outline: Outlining>(_: Outline.Type) -> Subject {
    Subject(Outline.self) { context in
      let outline = Outline(NumberedTree(n: context.n))
      let length = min(50, context.n)
      return Trial((outline, context.places(in: context.n - length + 1)), elementsPerOperation: length) {
        state, operations in
        total(operations) {
          let start = state.1.next()
          return state.0.rows(in: start..<start + length)
        }
      }
    }
  }

  @inline(__always)
  private static func pathOfRow<Outline: Outlining>(_: Outline.Type) -> Subject {
    Subject(Outline.self) { context in
      let outline = Outline(NumberedTree(n: context.n))
      return Trial((outline, context.places())) { state, operations in
        total(operations) { state.0.path(ofRow: state.1.next()) }
      }
    }
  }

  @inline(__always)
  private static func rowOfPath<Outline: Outlining>(_: Outline.Type) -> Subject {
    Subject(Outline.self) { context in
      let tree = NumberedTree(n: context.n)
      // Not more than some, so that the paths do not take the outline's place in the caches.
      let paths = (0..<4096).map { _ in
        IndexPath(indexes: tree.path(of: Int.random(in: 1...tree.n, using: &context.generator)))
      }
      return Trial((Outline(tree), paths, 0)) { state, operations in
        total(operations) {
          state.2 = (state.2 + 1) & 4095
          return state.0.row(ofPath: state.1[state.2])
        }
      }
    }
  }

  /// A random row is collapsed, if it is a folder, and expanded again.
  @inline(__always)
  private static func toggle<Outline: Outlining>(_: Outline.Type) -> Subject {
    Subject(Outline.self) { context in
      var outline = Outline(NumberedTree(n: context.n))
      let heard = Heard()
      outline.observer = { heard.sum &+= $0 }
      return Trial((outline, context.places(), heard)) { state, operations in
        for _ in 0..<operations { state.0.toggle(row: state.1.next()) }
        return state.2.sum
      }
    }
  }

  /// A leaf is inserted in a random folder, or one of the deepest, and one observer told its row.
  @inline(__always)
  private static func edit<Outline: Outlining>(
    _: Outline.Type, isDeep: Bool = false, isChain: Bool = false
  ) -> Subject {
    Subject(Outline.self) { context in
      let tree = NumberedTree(n: context.n, isChain: isChain)
      var outline = Outline(tree)
      outline.prepareFolders()
      let heard = Heard()
      outline.observer = { heard.sum &+= $0 }
      let folders = isDeep ? tree.deepestFolders : tree.folders
      let first = folders.lowerBound
      return Trial(
        (outline, context.places(in: folders.count), heard),
        mostOperations: max(1, context.n / 4),
        reset: { state, operations in
          for _ in 0..<operations { state.0.removeFirst(ofFolder: first + state.1.takeBack()) }
        },
        run: { state, operations in
          for _ in 0..<operations { state.0.insert(-1, inFolder: first + state.1.next()) }
          return state.2.sum
        })
    }
  }
}
