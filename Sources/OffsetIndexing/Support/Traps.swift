// These traps stop a program that breaks a precondition, with one sentence. The sentence also appears in release
// builds. Therefore the traps do not use `precondition`, whose message a release build drops. The traps are out of
// line, so that the checks stay cheap.

/// The errors that `FenwickTree` and `OffsetIndex` trap.
enum SumTrap {
  @inline(never) static func index(_ index: Int, _ count: Int) -> Never {
    fatalError("The index \(index) is out of range: there are \(count) sizes, 0..<\(count).")
  }

  @inline(never) static func boundary(_ index: Int, _ count: Int) -> Never {
    fatalError("The boundary \(index) is out of range: there are \(count) sizes, 0...\(count).")
  }

  @inline(never) static func range(_ range: Range<Int>, _ count: Int) -> Never {
    fatalError("The range \(range) is out of range: there are \(count) sizes, 0..<\(count).")
  }

  @inline(never) static func offset(_ offset: Int, _ total: Int) -> Never {
    fatalError("The offset \(offset) is out of range: the sizes add up to \(total), 0..<\(total).")
  }

  @inline(never) static func negative(_ what: StaticString, _ value: Int) -> Never {
    fatalError("The \(what) \(value) is negative.")
  }

  @inline(never) static func overflow(_ what: StaticString) -> Never {
    fatalError("The \(what) does not fit in an Int.")
  }
}

/// The errors that `BitIndex` and `OrderIndex` trap.
enum UnitTrap {
  @inline(never)
  static func position(_ position: Int, of unit: StaticString, count: Int) -> Never {
    fatalError("The \(unit) \(position) is out of range 0..<\(count).")
  }

  @inline(never)
  static func boundary(_ position: Int, count: Int) -> Never {
    fatalError("The position \(position) is out of range 0...\(count).")
  }

  @inline(never)
  static func range(_ range: Range<Int>, count: Int) -> Never {
    fatalError("The range \(range) is out of range 0..<\(count).")
  }

  @inline(never)
  static func count(_ count: Int, of units: StaticString) -> Never {
    fatalError("An index cannot make or insert \(count) \(units).")
  }

  @inline(never)
  static func limit(_ count: Int, adding added: Int, limit: Int, of units: StaticString) -> Never {
    fatalError("\(count) and \(added) more are too many: at most \(limit) \(units) fit in one index.")
  }

  @inline(never)
  static func words(_ words: Int, count: Int) -> Never {
    fatalError("An index cannot take \(count) bits from \(words) words of 64.")
  }

  @inline(never)
  static func deadHandle(_ number: Int) -> Never {
    fatalError("The handle \(number) is not in the order index.")
  }

  @inline(never)
  static func unwelcomeHandle(_ number: Int) -> Never {
    fatalError("The handle \(number) cannot be put: it is in the order index, or a handle of that has been freed.")
  }
}

/// The errors that `TreeIndex` traps.
@usableFromInline
enum TreeTrap {
  @inline(never)
  static func dead(_ branch: Int) -> Never { fatalError("The branch \(branch) is not in the tree index.") }

  @inline(never)
  static func number(_ number: Int, count: Int) -> Never {
    fatalError("The number \(number) is out of range 0..<\(count).")
  }

  /// A number of children: "1 child", "3 children".
  private static func children(_ count: Int) -> String { count == 1 ? "1 child" : "\(count) children" }

  @inline(never)
  static func position(_ position: Int, count: Int) -> Never {
    fatalError("The position \(position) is out of range: the branch has \(children(count)), 0..<\(count).")
  }

  @inline(never)
  static func boundary(_ position: Int, count: Int) -> Never {
    fatalError("The position \(position) is out of range: the branch has \(children(count)), 0...\(count).")
  }

  @inline(never)
  static func range(_ range: Range<Int>, count: Int) -> Never {
    fatalError("The range \(range) is out of range: the branch has \(children(count)), 0..<\(count).")
  }

  @inline(never)
  static func numbers(_ range: Range<Int>, count: Int) -> Never {
    fatalError("The range \(range) is out of range: there are \(count) elements, 0..<\(count).")
  }

  @usableFromInline @inline(never)
  static func negative(_ count: Int) -> Never { fatalError("A tree index cannot insert \(count) leaves.") }

  @inline(never)
  static func overflow() -> Never { fatalError("The number of elements does not fit in an Int.") }

  /// The sum of two numbers of elements; traps where it does not fit.
  @inline(__always)
  static func sum(_ count: Int, _ other: Int) -> Int {
    let (sum, overflow) = count.addingReportingOverflow(other)
    if overflow { self.overflow() }
    return sum
  }

  @inline(never)
  static func branches() -> Never { fatalError("A tree index cannot hold more than \(BranchTable.none) branches.") }

  @inline(never)
  static func parents(_ branch: Int, _ count: Int) -> Never {
    fatalError("The branch \(branch) has \(children(count)), and so cannot become a leaf.")
  }

  @inline(never)
  static func isBranch(_ position: Int) -> Never { fatalError("The child \(position) is a branch already.") }

  @inline(never)
  static func isNoLeaf(_ position: Int) -> Never { fatalError("The child \(position) is a branch, and no leaf.") }

  @inline(never)
  static func root(_ branch: Int) -> Never {
    fatalError("The branch \(branch) is no element: it is the root, or was cut out.")
  }

  @inline(never)
  static func siblings(_ branch: Int) -> Never {
    fatalError("The branch \(branch) is no sibling of the others, or is not behind the branch before it.")
  }

  @inline(never)
  static func noForest(_ branch: Int) -> Never {
    fatalError("The branch \(branch) has no forest of its own: it is not collapsed, nor the root, nor was it cut out.")
  }

  @inline(never)
  static func notCut(_ branch: Int) -> Never { fatalError("The branch \(branch) is no piece that was cut out.") }

  @inline(never)
  static func into(_ branch: Int) -> Never {
    fatalError("A piece cannot be pasted into the branch \(branch), which is in it.")
  }

  @usableFromInline @inline(never)
  static func depths(_ depth: Int, after previous: Int) -> Never {
    fatalError("An element of depth \(depth) cannot follow one of depth \(previous).")
  }

  @usableFromInline @inline(never)
  static func childCounts() -> Never { fatalError("The child counts end before the last child.") }

  @inline(never)
  static func builder() -> Never { fatalError("The builder has a branch to close for each that it opened.") }
}
