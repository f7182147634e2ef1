import Assemblage
import Foundation

extension Suite {
  /// A tree of fan-out 10 with n rows, fully expanded. 1,111,110 rows are six full levels. Also chains of n rows
  /// (`chain-…`).
  static var outline: Suite {
    Suite(
      "outline", of: OutlineSubject<BranchTree<Int>>.works, OutlineSubject<ForestTree<Int>>.works,
      OutlineSubject<ForestTree<NamedObject>>.works.without(besidesForests),
      OutlineSubject<ViewedTree<ForestViews.Map>>.works.without(besidesForests),
      OutlineSubject<ViewedTree<ForestViews.Filter>>.works.without(besidesForests),
      OutlineSubject<ViewedTree<ForestViews.Sort>>.works.without(besidesForests),
      FlatArray.works)
  }

  /// The operations that only outlines of branches and of forests of numbers do.
  private static let besidesForests = ["path-of-row", "row-of-path", "toggle", "chain-row", "chain-edit"]
}

extension Outlining {
  @WorkList @inline(__always)
  fileprivate static var works: [Work] {
    // Builds the tree and its outline.
    work("build") { context in
      Trial(NumberedTree(n: context.n), elementsPerOperation: context.n) { tree in
        Self(tree).element(at: tree.n - 1)
      }
    }
    // Releases the tree and its outline, all at once.
    work("release") { context in
      let tree = NumberedTree(n: context.n)
      return Trial(
        Self(tree) as Self?, elementsPerOperation: context.n, mostOperations: 1,
        reset: { subject, _ in subject = Self(tree) },
        run: { subject, operations in
          subject = nil
          return operations
        })
    }
    // All rows are expanded, after all have been collapsed.
    work("expand-all") { context in
      var outline = Self(NumberedTree(n: context.n))
      outline.collapseAll()
      return Trial(
        outline, mostOperations: 1, reset: { outline, _ in outline.collapseAll() },
        run: { outline, operations in total(operations) { outline.expandAll() } })
    }
    // The first row is collapsed, with a tenth of all rows below it, or expanded again.
    work("collapse") { context in
      var outline = Self(NumberedTree(n: context.n))
      let received = outline.observe()
      return Trial((outline, received)) { state, operations in
        for _ in 0..<operations { state.0.toggle(row: 0) }
        return state.1.sum
      }
    }
    work("row") { row(&$0) }
    // Reads everything that is drawn for a random row.
    work("row-full") { context in
      let outline = Self(NumberedTree(n: context.n))
      return Trial((outline, context.places())) { state, operations in
        var sum = 0
        for _ in 0..<operations { sum &+= state.0.row(at: state.1.next()) }
        return sum
      }
    }
    // Reads the same for fifty rows from a random row on. The time is the time of one row.
    work("window") { context in
      let outline = Self(NumberedTree(n: context.n))
      let length = min(50, context.n)
      return Trial((outline, context.places(in: context.n - length + 1)), elementsPerOperation: length) {
        state, operations in
        var sum = 0
        for _ in 0..<operations {
          let start = state.1.next()
          sum &+= state.0.rows(in: start..<start + length)
        }
        return sum
      }
    }
    work("path-of-row") { context in
      let outline = Self(NumberedTree(n: context.n))
      return Trial((outline, context.places())) { state, operations in
        total(operations) { state.0.path(ofRow: state.1.next()) }
      }
    }
    work("row-of-path") { context in
      let tree = NumberedTree(n: context.n)
      // The number of paths is limited, so that the paths do not displace the outline from the caches.
      let paths = (0..<4096).map { _ in
        IndexPath(indexes: tree.path(of: Int.random(in: 1...tree.n, using: &context.generator)))
      }
      return Trial((Self(tree), paths, 0)) { state, operations in
        var sum = 0
        for _ in 0..<operations {
          state.2 = (state.2 + 1) & 4095
          sum &+= state.0.row(ofPath: state.1[state.2])
        }
        return sum
      }
    }
    // A random row is collapsed, if it is a folder, or expanded again.
    work("toggle") { context in
      var outline = Self(NumberedTree(n: context.n))
      let received = outline.observe()
      return Trial((outline, context.places(), received)) { state, operations in
        for _ in 0..<operations { state.0.toggle(row: state.1.next()) }
        return state.2.sum
      }
    }
    work("edit") { edit(&$0) }
    work("deep-edit") { edit(&$0, isDeep: true) }
    work("chain-row") { row(&$0, isChain: true) }
    work("chain-edit") { edit(&$0, isDeep: true, isChain: true) }
  }

  @inline(__always)
  private static func row(_ context: inout Context, isChain: Bool = false) -> Trial {
    let outline = Self(NumberedTree(n: context.n, isChain: isChain))
    return Trial((outline, context.places())) { state, operations in
      total(operations) { state.0.element(at: state.1.next()) }
    }
  }

  /// A leaf is inserted in a random folder, or in one of the deepest folders. One observer is notified of the leaf's
  /// row.
  @inline(__always)
  private static func edit(_ context: inout Context, isDeep: Bool = false, isChain: Bool = false) -> Trial {
    let tree = NumberedTree(n: context.n, isChain: isChain)
    var outline = Self(tree)
    outline.prepareFolders()
    let received = outline.observe()
    let folders = isDeep ? tree.deepestFolders : tree.folders
    let first = folders.lowerBound
    return Trial(
      (outline, context.places(in: folders.count), received), mostOperations: max(1, context.n / 4),
      reset: { state, operations in
        for _ in 0..<operations { state.0.removeFirst(ofFolder: first + state.1.takeBack()) }
      },
      run: { state, operations in
        for _ in 0..<operations { state.0.insert(inFolder: first + state.1.next()) }
        return state.2.sum
      })
  }
}
