import Assemblage

/// The library's side of the suite `elements`: members of random lengths, or of ten, in a join.
struct HeldInNodes<Item: NumberedElement> {
  let count: Int
  let members: [ArrayNode<Item>]
  let join: JoinNode<Item>
  let places: MemberPlaces
  private var generator: SplitMix

  init(_ context: Context, ofTens: Bool) {
    generator = context.generator
    count = context.n
    places = MemberPlaces(n: context.n, bound: Predicates.bound, using: &generator)
    if ofTens {
      let elements = Array(places.members.joined())
      members = stride(from: 0, to: count, by: 10).map { start in
        ArrayNode(elements[start..<min(start + 10, elements.count)].map { Item($0) })
      }
    } else {
      members = places.members.map { ArrayNode($0.map { Item($0) }) }
    }
    join = JoinNode(members)
  }

  private var filter: FilterNode<Item> { FilterNode(join) { Predicates.first($0.number) } }

  // MARK: Filters

  func filterBuild() -> Trial {
    Trial(join, elementsPerOperation: count) { join in FilterNode(join) { Predicates.first($0.number) }.count }
  }

  func filterChange() -> Trial {
    Trial((filter, false), elementsPerOperation: count) { state, operations in
      for _ in 0..<operations {
        state.1.toggle()
        if state.1 {
          state.0.setPredicate { Predicates.second($0.number) }
        } else {
          state.0.setPredicate { Predicates.first($0.number) }
        }
      }
      return state.0.count
    }
  }

  func filterStricter() -> Trial {
    Trial(
      filter, elementsPerOperation: count, mostOperations: 1,
      reset: { filter, _ in filter.setPredicate(hint: .looser) { Predicates.first($0.number) } },
      run: { filter, _ in
        filter.setPredicate(hint: .stricter) { Predicates.stricter($0.number) }
        return filter.count
      })
  }

  func filterScan() -> Trial {
    let filter = filter
    return Trial(filter, elementsPerOperation: filter.count) { filter in
      var sum = 0
      filter.forEachSpan(in: 0..<filter.count) { _, span in sum &+= Self.sum(of: span) }
      return sum
    }
  }

  func filterElement() -> Trial {
    let filter = filter
    var generator = generator
    return Trial((filter, Places(in: max(1, filter.count), using: &generator))) { state, operations in
      total(operations) { state.0.element(at: state.1.next())?.number ?? 0 }
    }
  }

  /// Filters one above the other, each of which hides another of 1,024 elements.
  static func chain(of join: JoinNode<Item>) -> any TreeNode<Item> {
    (0..<Predicates.chainLength).reduce(join) { (node: any TreeNode<Item>, level) in
      FilterNode(node) { Predicates.link(level, $0.number) }
    }
  }

  func chainElement() -> Trial {
    let chain = Self.chain(of: join)
    var generator = generator
    return Trial((chain, Places(in: max(1, chain.count), using: &generator))) { state, operations in
      total(operations) { state.0.element(at: state.1.next())?.number ?? 0 }
    }
  }

  // MARK: Edits, of one element in a random member, told to one observer

  func arrayInsert() -> Trial {
    var generator = generator
    let node = ArrayNode(join.elements)
    let places = Places(in: count, using: &generator)
    let spare = SpareElements<Item>(using: &generator)
    return Trial(
      (node, places, spare), mostOperations: max(1, count / 4),
      reset: { state, operations in
        for _ in 0..<operations {
          state.0.remove(at: state.1.takeBack())
          state.2.takeBack()
        }
      },
      run: { state, operations in
        for _ in 0..<operations { state.0.insert(state.2.take(), at: state.1.next()) }
        return state.0.count
      })
  }

  func insert(_ observe: (JoinNode<Item>) -> NodeObservation) -> Trial {
    var generator = generator
    let spare = SpareElements<Item>(using: &generator)
    return Trial(
      (members, places, spare, observe(join)), mostOperations: max(1, count / 4),
      reset: { state, operations in
        for _ in 0..<operations {
          let place = state.1.takeBack()
          state.0[place.member].remove(at: place.position)
          state.2.takeBack()
        }
      },
      run: { state, operations in
        for _ in 0..<operations {
          let place = state.1.next()
          state.0[place.member].insert(state.2.take(), at: place.position)
        }
        return operations
      })
  }

  func update(_ observe: (JoinNode<Item>) -> NodeObservation) -> Trial {
    var generator = generator
    let spare = SpareElements<Item>(using: &generator)
    return Trial(
      (members, places, spare, observe(join), [Item]()), mostOperations: max(1, count / 4),
      reset: { state, operations in
        for _ in 0..<operations {
          let place = state.1.takeBack()
          state.0[place.member][place.position] = state.4.removeLast()
          state.2.takeBack()
        }
      },
      run: { state, operations in
        for _ in 0..<operations {
          let place = state.1.next()
          state.4.append(state.0[place.member][place.position])
          state.0[place.member][place.position] = state.2.take()
        }
        return operations
      })
  }

  // MARK: Joins, maps, slices, and flat lists

  func joinElement() -> Trial {
    var generator = generator
    return Trial((join, Places(in: count, using: &generator))) { state, operations in
      total(operations) { state.0.element(at: state.1.next())!.number }
    }
  }

  func mapElement() -> Trial {
    var generator = generator
    let map = MapNode(join) { $0.number &* 7 }
    return Trial((map, Places(in: count, using: &generator))) { state, operations in
      total(operations) { state.0.element(at: state.1.next())! }
    }
  }

  func mapScan() -> Trial {
    Trial(MapNode(join) { $0.number &* 7 }, elementsPerOperation: count) { map in
      var sum = 0
      map.forEachSpan(in: 0..<map.count) { _, span in sum &+= benchmark.sum(of: span) }
      return sum
    }
  }

  @inline(__always)
  func scan<Node: TreeNode<Item>>(_ node: Node) -> Trial {
    Trial(node, elementsPerOperation: node.count) { node in
      var sum = 0
      node.forEachSpan(in: 0..<node.count) { _, span in sum &+= Self.sum(of: span) }
      return sum
    }
  }

  @inline(__always)
  private static func sum(of span: Span<Item>) -> Int {
    var sum = 0
    for index in span.indices { sum &+= span[index].number }
    return sum
  }

  // MARK: Orders and keys

  func sortBuild() -> Trial {
    Trial(join, elementsPerOperation: count) { join in SortNode(join) { $0.number < $1.number }.count }
  }

  /// Sorts by another comparator and back in turn.
  @inline(__always)
  func reorder(by areInIncreasingOrder: @escaping (Item, Item) -> Bool) -> Trial {
    Trial((SortNode(join) { $0.number < $1.number }, false), elementsPerOperation: count) { state, operations in
      for _ in 0..<operations {
        state.1.toggle()
        if state.1 {
          state.0.setComparator(areInIncreasingOrder)
        } else {
          state.0.setComparator { $0.number < $1.number }
        }
      }
      return state.0.count
    }
  }

  func sortElement() -> Trial {
    var generator = generator
    let sorted = SortNode(join) { $0.number < $1.number }
    return Trial((sorted, Places(in: count, using: &generator))) { state, operations in
      total(operations) { state.0.element(at: state.1.next())!.number }
    }
  }

  func groupBuild() -> Trial {
    Trial(join, elementsPerOperation: count) { join in GroupNode(join) { $0.number & 255 }.count }
  }

  func uniqueBuild() -> Trial {
    Trial(join, elementsPerOperation: count) { join in UniqueNode(join) { $0.number }.count }
  }
}
