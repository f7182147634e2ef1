@_spi(NodeAuthors) import Assemblage

/// The library's subjects of the suite `elements`: members of random lengths, or of ten elements, in a join.
struct HeldInNodes<Item: NumberedElement> {
  let count: Int
  let members: [ArrayNode<Item>]
  let join: JoinNode<Item>
  let places: MemberPlaces
  private var context: Context

  init(_ context: Context, ofTens: Bool) {
    self.context = context
    count = context.n
    places = MemberPlaces(&self.context)
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

  mutating func filterElement() -> Trial {
    let filter = filter
    return Trial((filter, context.places(in: max(1, filter.count)))) { state, operations in
      var sum = 0
      for _ in 0..<operations { sum &+= state.0.element(at: state.1.next())?.number ?? 0 }
      return sum
    }
  }

  /// A chain of filters. Each of them hides another one of 1,024 elements.
  static func chain(of join: JoinNode<Item>) -> any TreeNode<Item> {
    (0..<Predicates.chainLength).reduce(join) { (node: any TreeNode<Item>, level) in
      FilterNode(node) { Predicates.link(level, $0.number) }
    }
  }

  mutating func chainElement() -> Trial {
    let chain = Self.chain(of: join)
    return Trial((chain, context.places(in: max(1, chain.count)))) { state, operations in
      total(operations) { state.0.element(at: state.1.next())?.number ?? 0 }
    }
  }

  // MARK: Edits of one element in a random member, with one observer

  mutating func arrayInsert() -> Trial {
    let node = ArrayNode(join.elements)
    return Trial(
      (node, context.places(in: count), SpareElements<Item>(&context)), mostOperations: max(1, count / 4),
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

  mutating func insert(_ observe: (JoinNode<Item>) -> NodeObservation) -> Trial {
    Trial(
      (members, places, SpareElements<Item>(&context), observe(join)), mostOperations: max(1, count / 4),
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

  mutating func update(_ observe: (JoinNode<Item>) -> NodeObservation) -> Trial {
    Trial(
      (members, places, SpareElements<Item>(&context), observe(join), [Item]()), mostOperations: max(1, count / 4),
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

  mutating func joinElement() -> Trial {
    Trial((join, context.places(in: count))) { state, operations in
      var sum = 0
      for _ in 0..<operations { sum &+= state.0.element(at: state.1.next())!.number }
      return sum
    }
  }

  mutating func mapElement() -> Trial {
    let map = MapNode(join) { $0.number &* 7 }
    return Trial((map, context.places(in: count))) { state, operations in
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

  /// Sorts by another comparator and by the first one in turn.
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

  mutating func sortElement() -> Trial {
    let sorted = SortNode(join) { $0.number < $1.number }
    return Trial((sorted, context.places(in: count))) { state, operations in
      var sum = 0
      for _ in 0..<operations { sum &+= state.0.element(at: state.1.next())!.number }
      return sum
    }
  }

  func groupBuild() -> Trial {
    Trial(join, elementsPerOperation: count) { join in GroupNode(join) { $0.number & 255 }.count }
  }

  func uniqueBuild() -> Trial {
    Trial(join, elementsPerOperation: count) { join in UniqueNode(join) { $0.number }.count }
  }
}
