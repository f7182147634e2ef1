import Assemblage

extension Suite {
  /// A tree of fan-out 10 with n elements, and an outline of it. The children are requested when they are read.
  ///
  /// 1,111,110 elements are six full levels, and 111,111 folders.
  static var hierarchy: Suite { Suite("hierarchy", of: HierarchySubject.works, FolderObjects.works) }
}

extension Browsing {
  @WorkList
  fileprivate static var works: [Work] {
    // Builds the tree and its outline, in which all folders are open.
    work("build") { context in
      let source = NumberedFolders(NumberedTree(n: context.n))
      return Trial(source, elementsPerOperation: context.n) { source in Self(source, isOpen: true).rowCount }
    }
    // The root has n closed folders. Each of its rows is drawn once, in windows of fifty rows.
    work("browse") { context in
      let source = NumberedFolders(NumberedTree(n: context.n, isFlat: true))
      return Trial(source, elementsPerOperation: context.n) { source in
        let browser = Self(source, isOpen: false)
        var sum = 0
        for start in stride(from: 0, to: browser.rowCount, by: 50) {
          sum &+= browser.draw(start..<min(start + 50, browser.rowCount))
        }
        return sum
      }
    }
    // Fifty rows of a fully open tree are drawn. The time is the time of one row.
    work("window") { context in
      let browser = Self(NumberedFolders(NumberedTree(n: context.n)), isOpen: true)
      let length = min(50, context.n)
      return Trial((browser, context.places(in: context.n - length + 1)), elementsPerOperation: length) {
        state, operations in
        var sum = 0
        for _ in 0..<operations {
          let start = state.1.next()
          sum &+= state.0.draw(start..<start + length)
        }
        return sum
      }
    }
    // A random row is closed, if it is a folder, and opened again.
    work("toggle") { context in
      let browser = Self(NumberedFolders(NumberedTree(n: context.n)), isOpen: true)
      return Trial((browser, context.places())) { state, operations in
        for _ in 0..<operations {
          let row = state.1.next()
          state.0.toggle(row)
          state.0.toggle(row)
        }
        return state.0.rowCount
      }
    }
    // The children of a random folder are requested again after one child has left, and once more after the child has
    // returned.
    work("reload") { context in
      let source = NumberedFolders(NumberedTree(n: context.n))
      let browser = Self(source, isOpen: true)
      return Trial((browser, context.places(in: source.tree.folders.count), source)) { state, operations in
        for _ in 0..<operations {
          let folder = state.1.next()
          for _ in 0..<2 {
            state.2.change(folder)
            state.0.reload(folder)
          }
        }
        return state.0.rowCount
      }
    }
  }
}
