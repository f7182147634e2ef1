/// The competitors of the suite `elements`: all elements in one array, and the derived elements in other arrays.
struct HeldInArray<Item: NumberedElement> {
  let elements: [Item]
  private var context: Context

  init(_ context: Context) {
    self.context = context
    elements = MemberPlaces(&self.context).members.joined().map { Item($0) }
  }

  var passing: [Item] { elements.filter { Predicates.first($0.number) } }

  @inline(__always)
  func scan<Items: RandomAccessCollection<Item>>(_ items: Items) -> Trial {
    Trial(items, elementsPerOperation: items.count) { items in
      var sum = 0
      for element in items { sum &+= element.number }
      return sum
    }
  }

  mutating func element(of items: [Item]) -> Trial {
    Trial((items, context.places(in: max(1, items.count)))) { state, operations in
      total(operations) {
        let place = state.1.next()
        return place < state.0.count ? state.0[place].number : 0
      }
    }
  }

  /// Inserts an element at a random place, and then makes the derived data again.
  @inline(__always)
  mutating func insert(then change: @escaping ([Item]) -> Void) -> Trial {
    Trial(
      (elements, context.places(in: elements.count), SpareElements<Item>(&context)),
      mostOperations: max(1, elements.count / 4),
      reset: { state, operations in
        for _ in 0..<operations {
          state.0.remove(at: state.1.takeBack())
          state.2.takeBack()
        }
      },
      run: { state, operations in
        for _ in 0..<operations {
          state.0.insert(state.2.take(), at: state.1.next())
          change(state.0)
        }
        return state.0.count
      })
  }

  /// Replaces the element at a random place, and then makes the derived data again.
  @inline(__always)
  mutating func update(then change: @escaping ([Item]) -> Void) -> Trial {
    Trial(
      (elements, context.places(in: elements.count), SpareElements<Item>(&context), [Item]()),
      mostOperations: max(1, elements.count / 4),
      reset: { state, operations in
        for _ in 0..<operations {
          state.0[state.1.takeBack()] = state.3.removeLast()
          state.2.takeBack()
        }
      },
      run: { state, operations in
        for _ in 0..<operations {
          let place = state.1.next()
          state.3.append(state.0[place])
          state.0[place] = state.2.take()
          change(state.0)
        }
        return state.0.count
      })
  }

  // MARK: Filters

  func filterBuild() -> Trial {
    Trial(elements, elementsPerOperation: elements.count) { $0.filter { Predicates.first($0.number) }.count }
  }

  func filterChange() -> Trial {
    Trial((elements, passing, false), elementsPerOperation: elements.count) { state, operations in
      for _ in 0..<operations {
        state.2.toggle()
        if state.2 {
          state.1 = state.0.filter { Predicates.second($0.number) }
        } else {
          state.1 = state.0.filter { Predicates.first($0.number) }
        }
      }
      return state.1.count
    }
  }

  func filterStricter() -> Trial {
    Trial(passing, elementsPerOperation: elements.count) { $0.filter { Predicates.stricter($0.number) }.count }
  }

  // MARK: Maps

  mutating func mapElement() -> Trial {
    let mapped = elements.map { $0.number &* 7 }
    return Trial((mapped, context.places(in: elements.count))) { state, operations in
      total(operations) { state.0[state.1.next()] }
    }
  }

  func mapScan() -> Trial {
    Trial(elements.map { $0.number &* 7 }, elementsPerOperation: elements.count) { sum(of: $0.span) }
  }

  // MARK: Orders and keys

  func sortBuild() -> Trial {
    Trial(elements, elementsPerOperation: elements.count) { $0.sorted { $0.number < $1.number }.count }
  }

  /// Sorts by another comparator and by the first one in turn.
  @inline(__always)
  func reorder(by areInIncreasingOrder: @escaping (Item, Item) -> Bool) -> Trial {
    let sorted = elements.sorted { $0.number < $1.number }
    return Trial((sorted, false), elementsPerOperation: elements.count) { state, operations in
      for _ in 0..<operations {
        state.1.toggle()
        if state.1 {
          state.0.sort(by: areInIncreasingOrder)
        } else {
          state.0.sort { $0.number < $1.number }
        }
      }
      return state.0.count
    }
  }

  /// The number of sorted elements that are not behind an element, found by binary search.
  @inline(__always)
  private static func place(of element: Item, in sorted: [Item]) -> Int {
    var (low, high) = (0, sorted.count)
    while low < high {
      let middle = (low + high) / 2
      if sorted[middle].number <= element.number { low = middle + 1 } else { high = middle }
    }
    return low
  }

  mutating func sortInsert() -> Trial {
    let sorted = elements.sorted { $0.number < $1.number }
    return Trial(
      (sorted, SpareElements<Item>(&context), [Int]()), mostOperations: max(1, elements.count / 4),
      reset: { state, operations in
        for _ in 0..<operations {
          state.0.remove(at: state.2.removeLast())
          state.1.takeBack()
        }
      },
      run: { state, operations in
        for _ in 0..<operations {
          let element = state.1.take()
          let place = Self.place(of: element, in: state.0)
          state.0.insert(element, at: place)
          state.2.append(place)
        }
        return state.0.count
      })
  }

  /// The former element is at a random place, and no search is needed for it.
  mutating func sortUpdate() -> Trial {
    let sorted = elements.sorted { $0.number < $1.number }
    return Trial(
      (sorted, SpareElements<Item>(&context), context.places(in: elements.count), [(place: Int, former: Item)]()),
      mostOperations: max(1, elements.count / 4),
      reset: { state, operations in
        for _ in 0..<operations {
          let edit = state.3.removeLast()
          state.0.remove(at: edit.place)
          state.0.insert(edit.former, at: state.2.takeBack())
          state.1.takeBack()
        }
      },
      run: { state, operations in
        for _ in 0..<operations {
          let element = state.1.take()
          let former = state.0.remove(at: state.2.next())
          let place = Self.place(of: element, in: state.0)
          state.0.insert(element, at: place)
          state.3.append((place, former))
        }
        return state.0.count
      })
  }

  func groupBuild() -> Trial {
    Trial(elements, elementsPerOperation: elements.count) { Dictionary(grouping: $0) { $0.number & 255 }.count }
  }

  func uniqueBuild() -> Trial {
    Trial(elements, elementsPerOperation: elements.count) { elements in
      var seen: Set<Int> = []
      return elements.filter { seen.insert($0.number).inserted }.count
    }
  }
}
