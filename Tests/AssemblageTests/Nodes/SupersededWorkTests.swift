import Assemblage
import AssemblageTesting
import TestSupport
import Testing

/// Work in the background is superseded by a setting in a transaction that is rolled back, at any step of the work.
@Suite struct SupersededWorkTests {
  private struct Stop: Error {}

  /// A kind of setting that is made in the background.
  enum Form: CaseIterable {
    case filter, filterInSlices, treeFilter, treeFilterInSlices
    case sort, sortInSlices, treeSort, treeSortInSlices, group, groupInSlices
  }

  /// A node that depends on remainders of a divisor. The divisor is set at once or in the background.
  private struct Subject {
    let node: any TreeNode<Row>
    let set: (Int) -> Void
    let begin: (Int, StepScheduler) -> StepTask
  }

  private static func remainder(_ row: Row, _ divisor: Int) -> Int { (row.id + row.version) % divisor }

  private func filter(
    _ source: any TreeNode<Row>, _ set: @escaping (FilterNode<Row>, Int) async throws -> Void
  ) -> Subject {
    let filter = FilterNode(source) { Self.remainder($0, 2) == 0 }
    return Subject(
      node: filter, set: { divisor in filter.setPredicate { Self.remainder($0, divisor) == 0 } },
      begin: { divisor, steps in steps.begin(filter) { try await set($0, divisor) } })
  }

  private func treeFilter(
    _ source: any TreeNode<Row>, _ set: @escaping (TreeFilterNode<Row>, Int) async throws -> Void
  ) -> Subject {
    let filter = TreeFilterNode(source) { Self.remainder($0, 2) == 0 }
    return Subject(
      node: filter, set: { divisor in filter.setPredicate { Self.remainder($0, divisor) == 0 } },
      begin: { divisor, steps in steps.begin(filter) { try await set($0, divisor) } })
  }

  private func sort(
    _ source: any TreeNode<Row>, _ set: @escaping (SortNode<Row>, Int) async throws -> Void
  ) -> Subject {
    let sort = SortNode(source) { Self.remainder($0, 2) < Self.remainder($1, 2) }
    return Subject(
      node: sort, set: { divisor in sort.setComparator { Self.remainder($0, divisor) < Self.remainder($1, divisor) } },
      begin: { divisor, steps in steps.begin(sort) { try await set($0, divisor) } })
  }

  private func treeSort(
    _ source: any TreeNode<Row>, _ set: @escaping (TreeSortNode<Row>, Int) async throws -> Void
  ) -> Subject {
    let sort = TreeSortNode(source) { Self.remainder($0, 2) < Self.remainder($1, 2) }
    return Subject(
      node: sort, set: { divisor in sort.setComparator { Self.remainder($0, divisor) < Self.remainder($1, divisor) } },
      begin: { divisor, steps in steps.begin(sort) { try await set($0, divisor) } })
  }

  private func group(
    _ source: any TreeNode<Row>, _ set: @escaping (GroupNode<Row, Int>, Int) async throws -> Void
  ) -> Subject {
    let group = GroupNode(source) { Self.remainder($0, 2) }
    return Subject(
      node: group, set: { divisor in group.setKey { Self.remainder($0, divisor) } },
      begin: { divisor, steps in steps.begin(group) { try await set($0, divisor) } })
  }

  private func subject(_ form: Form, _ source: any TreeNode<Row>) -> Subject {
    let slice = Duration.milliseconds(1)
    return switch form {
    case .filter:
      filter(source) { node, divisor in
        try await node.setPredicate(inBackground: .concurrently) { Self.remainder($0, divisor) == 0 }
      }
    case .filterInSlices:
      filter(source) { node, divisor in
        try await node.setPredicate(inBackground: .inSlices(of: slice)) { Self.remainder($0, divisor) == 0 }
      }
    case .treeFilter:
      treeFilter(source) { node, divisor in
        try await node.setPredicate(inBackground: .concurrently) { Self.remainder($0, divisor) == 0 }
      }
    case .treeFilterInSlices:
      treeFilter(source) { node, divisor in
        try await node.setPredicate(inBackground: .inSlices(of: slice)) { Self.remainder($0, divisor) == 0 }
      }
    case .sort:
      sort(source) { node, divisor in
        try await node.setComparator(inBackground: .concurrently) {
          Self.remainder($0, divisor) < Self.remainder($1, divisor)
        }
      }
    case .sortInSlices:
      sort(source) { node, divisor in
        try await node.setComparator(inBackground: .inSlices(of: slice)) {
          Self.remainder($0, divisor) < Self.remainder($1, divisor)
        }
      }
    case .treeSort:
      treeSort(source) { node, divisor in
        try await node.setComparator(inBackground: .concurrently) {
          Self.remainder($0, divisor) < Self.remainder($1, divisor)
        }
      }
    case .treeSortInSlices:
      treeSort(source) { node, divisor in
        try await node.setComparator(inBackground: .inSlices(of: slice)) {
          Self.remainder($0, divisor) < Self.remainder($1, divisor)
        }
      }
    case .group:
      group(source) { node, divisor in
        try await node.setKey(inBackground: .concurrently) { Self.remainder($0, divisor) }
      }
    case .groupInSlices:
      group(source) { node, divisor in
        try await node.setKey(inBackground: .inSlices(of: slice)) { Self.remainder($0, divisor) }
      }
    }
  }

  /// The setting is among edits, or alone. Between the setting and the rollback, the node is read or not.
  @Test(arguments: Form.allCases, [false, true])
  func whatIsSupersededStaysSo(_ form: Form, _ isAmongEdits: Bool) throws {
    var supersededCount = 0
    for isRead in [false, true] {
      var doneCount = 0
      // More steps after the last one change nothing.
      for count in stride(from: 2, to: 150, by: 3) where doneCount < 2 {
        let source = ArrayNode((0..<7).map { Row(id: $0) })
        let subject = subject(form, source)
        let shadow = ShadowTree(of: subject.node, id: \.id, minimality: [])
        let steps = StepScheduler()
        let task = subject.begin(3, steps)
        for _ in 0..<count where task.outcome == nil { steps.step() }
        let isDone = task.outcome != nil
        try? source.performUpdates { () throws in
          if isAmongEdits { source.remove(at: 3) }
          subject.set(5)
          if isRead { _ = subject.node.count }
          if isAmongEdits { source[0].version += 1 }
          throw Stop()
        }
        // The node agrees with a new node that has the remaining settings.
        func check() throws {
          let fresh = self.subject(form, source)
          if isDone { fresh.set(3) }
          #expect(NaiveTree(of: subject.node) == NaiveTree(of: fresh.node), "\(count)")
          try shadow.check()
        }
        try check()
        source.append(Row(id: 8))
        while steps.step() {}
        source[1].version += 1
        try check()
        switch try #require(task.outcome) {
        case .success:
          #expect(isDone)
          doneCount += 1
        case .failure(let error):
          #expect(!isDone && error is CancellationError)
          supersededCount += 1
        }
      }
      #expect(doneCount > 0)
    }
    #expect(supersededCount > 0)
  }
}
