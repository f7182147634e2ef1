import Assemblage
import Foundation

extension Suite {
  /// Many edits in one transaction, beside the same edits without a transaction, and beside a naive array.
  ///
  /// An operation of `insert` and `throw` is n / 10 edits, and an operation of `insert-tree` is n / 100 edits. The
  /// times are the times of one edit.
  static var transactions: Suite {
    Suite("transactions") {
      Operation(
        "insert",
        insert("one transaction") { $0.insertInOneTransaction() },
        insert("no transaction") { $0.insertEach() },
        // The same edits in an array, which is filtered and sorted again at the end.
        Subject("Array", .competitor, largest: 1 << 20) { context in
          let edits = ContactEdits(context)
          let count = max(1, context.n / 10)
          return Trial(
            (edits.contacts, edits), elementsPerOperation: count, mostOperations: 1,
            reset: { state, _ in for _ in 0..<count { state.0.remove(at: state.1.takeBack()) } },
            run: { state, _ in
              for _ in 0..<count {
                let edit = state.1.next()
                state.0.insert(edit.contact, at: edit.place)
              }
              return state.0.filter { Predicates.first($0.number) }.sorted { $0.number < $1.number }.count
            })
        })
      Operation(
        "insert-tree",
        insertBelow("one transaction") { $0.insertInOneTransaction() },
        insertBelow("no transaction") { $0.insertEach() })
      Operation(
        "hide",
        hide("one transaction", inside: true),
        hide("no transaction", inside: false),
        Subject("Array", .competitor, largest: 1 << 17) { context in
          let edits = ContactEdits(context)
          return Trial((edits.contacts, Contact(0), Contact(Predicates.bound - 1))) { state, operations in
            var sum = 0
            for index in 0..<operations {
              state.0[0] = index & 1 == 0 ? state.1 : state.2
              sum &+= state.0.filter { Predicates.first($0.number) }.count
            }
            return sum
          }
        })
      Operation(
        "throw",
        insert("rolled back", reset: { $0.skipBack() }) { $0.insertAndThrow() },
        insert("committed") { $0.insertInOneTransaction() })
      Operation(
        "move",
        move("outline", isObserved: true),
        move("no observer", isObserved: false),
        Subject("Array of rows", .competitor) { context in
          let n = context.n
          return Trial(([-2, -12, -4] + Array(0..<n) + [-3, -13], false)) { state, operations in
            let length = n + 1
            for _ in 0..<operations {
              let (source, destination) = state.1 ? (4, 2) : (2, 4)
              let moved = Array(state.0[source..<source + length])
              state.0.removeSubrange(source..<source + length)
              state.0.insert(contentsOf: moved, at: destination)
              state.1.toggle()
            }
            return state.0[2]
          }
        })
    }
  }

  // MARK: insert

  /// Objects are inserted at random places of a source under a join, a filter and a sort. The sort is observed.
  private static func insert(
    _ name: String, reset: @escaping (inout Pipeline) -> Void = { $0.takeBack() },
    _ body: @escaping (inout Pipeline) -> Void
  ) -> Subject {
    Subject(name, .library) { context in
      Trial(
        Pipeline(context), elementsPerOperation: max(1, context.n / 10), mostOperations: 1,
        reset: { pipeline, _ in reset(&pipeline) },
        run: { pipeline, _ in
          body(&pipeline)
          return pipeline.received.sum
        })
    }
  }

  // MARK: insert-tree

  /// Values are inserted in random branches of a forest under a tree filter, a tree sort and an observed outline.
  private static func insertBelow(_ name: String, _ body: @escaping (inout TreePipeline) -> Void) -> Subject {
    Subject(name, .library) { context in
      Trial(
        TreePipeline(context), elementsPerOperation: max(1, context.n / 100), mostOperations: 1,
        reset: { pipeline, _ in pipeline.takeBack() },
        run: { pipeline, _ in
          body(&pipeline)
          return pipeline.received.sum
        })
    }
  }

  // MARK: hide

  /// An update hides a row of an observed filter, and the next one shows it again.
  private static func hide(_ name: String, inside: Bool) -> Subject {
    Subject(name, .library) { context in
      let pipeline = Pipeline(context)
      return Trial((pipeline, Contact(0), Contact(Predicates.bound - 1))) { state, operations in
        let (source, filter) = (state.0.source, state.0.filter)
        for index in 0..<operations {
          let contact = index & 1 == 0 ? state.1 : state.2
          if inside {
            source.performUpdates { source.replace(at: 0, with: contact) }
          } else {
            source.replace(at: 0, with: contact)
          }
        }
        return filter.count
      }
    }
  }

  // MARK: move

  /// A branch with n leaves moves from one branch of a forest to another branch, and back in the next operation.
  private static func move(_ name: String, isObserved: Bool) -> Subject {
    Subject(name, .library) { context in
      let forest = ForestNode<Int>(value: -1)
      for value in [-2, -3] { forest.append(ForestNode(value: value, leaves: [value - 10])) }
      (forest.child(at: 0) as! ForestNode<Int>).append(ForestNode(value: -4, leaves: 0..<context.n))
      let outline = OutlineNode(forest, id: { $0 })
      outline.expandAll()
      let received = Heard()
      let observation = isObserved ? outline.observe { received.sum &+= $0.delta.moves.count } : nil
      return Trial((forest, outline, received, observation, false)) { state, operations in
        for _ in 0..<operations {
          let (source, destination) = state.4 ? (1, 0) : (0, 1)
          state.0.move([source, 1], into: [destination], at: 1)
          state.4.toggle()
        }
        return state.2.sum &+ state.1.count
      }
    }
  }
}

/// A source of n objects under a join, a filter and an observed sort.
private struct Pipeline {
  let source: ArrayNode<Contact>
  let filter: FilterNode<Contact>
  let received = Heard()
  private let observation: NodeObservation
  private var edits: ContactEdits
  private let count: Int

  private struct Stop: Error {}

  init(_ context: Context) {
    edits = ContactEdits(context)
    count = max(1, context.n / 10)
    source = ArrayNode(edits.contacts)
    filter = FilterNode(JoinNode([source, ArrayNode([])])) { Predicates.first($0.number) }
    let received = received
    observation = SortNode(filter) { $0.number < $1.number }.observe { received.sum &+= $0.delta.countChange }
  }

  mutating func insertEach() {
    for _ in 0..<count {
      let edit = edits.next()
      source.insert(edit.contact, at: edit.place)
    }
  }

  mutating func insertInOneTransaction() { source.performUpdates { insertEach() } }

  mutating func insertAndThrow() {
    try? source.performUpdates {
      insertEach()
      throw Stop()
    }
  }

  /// Makes the edits that were rolled back the next edits again.
  mutating func skipBack() {
    for _ in 0..<count { _ = edits.takeBack() }
  }

  mutating func takeBack() {
    source.performUpdates {
      for _ in 0..<count { source.remove(at: edits.takeBack()) }
    }
  }
}

/// A forest of n values under a tree filter, a tree sort and an observed outline.
private struct TreePipeline {
  private let forest: ForestNode<Int>
  private let branches: [ForestNode<Int>]
  let received = Heard()
  private let observation: NodeObservation
  private var places: Places
  private let count: Int

  init(_ context: Context) {
    var generator = context.generator
    var tree = ForestTree<Int>(NumberedTree(n: context.n))
    tree.prepareFolders()
    (forest, branches) = (tree.forest, tree.folders)
    places = Places(in: branches.count, using: &generator)
    count = max(1, context.n / 100)
    let sort = TreeSortNode(TreeFilterNode(forest) { $0 & 3 != 0 }) { $0 > $1 }
    let received = received
    let outline = OutlineNode(sort, id: { $0 })
    outline.expandAll()
    observation = outline.observe { received.sum &+= $0.delta.countChange }
  }

  mutating func insertEach() {
    for index in 0..<count { branches[places.next()].insert(1_000_000_001 &+ 4 &* index, at: 0) }
  }

  mutating func insertInOneTransaction() { forest.performUpdates { insertEach() } }

  mutating func takeBack() {
    forest.performUpdates {
      for _ in 0..<count { _ = branches[places.takeBack()].removeChild(at: 0) }
    }
  }
}
