/// The competitors of the suite `elements`: all elements in one array, and what is made of them in others.
struct HeldInArray<Item: NumberedElement> {
  let elements: [Item]
  private var generator: SplitMix

  init(_ context: Context) {
    generator = context.generator
    let members = MemberPlaces(n: context.n, bound: Predicates.bound, using: &generator).members
    elements = members.joined().map { Item($0) }
  }

  func trial(_ work: ElementWork) -> Trial {
    switch work {
    case .filterBuild: filterBuild()
    case .filterChange, .filterChangeOfTens: filterChange()
    case .filterStricter: filterStricter()
    case .filterScan, .filterScanOfTens: scan(passing)
    case .sortBuild: sortBuild()
    case .groupBuild: groupBuild()
    case .arrayInsert, .joinInsert: insert(elements, after: { _ in })
    case .joinElement: element(of: elements)
    case .joinScan, .flattenScan: scan(elements)
    case .filterElement: element(of: passing)
    case .filterInsert: insert(elements) { state in blackHole(state.filter { Predicates.first($0.number) }.count) }
    case .sortReverse: reorder { $0.number > $1.number }
    case .sortElement: element(of: elements.sorted { $0.number < $1.number })
    case .sortInsert: sortInsert()
    case .sortUpdate: sortUpdate()
    case .sortChange: reorder { Predicates.mixed($0.number) < Predicates.mixed($1.number) }
    case .groupInsert:
      insert(elements) { state in blackHole(Dictionary(grouping: state) { $0.number & 255 }.count) }
    case .groupUpdate:
      update(elements) { state in blackHole(Dictionary(grouping: state) { $0.number & 255 }.count) }
    case .chainElement: element(of: elements.filter { Predicates.links($0.number) })
    case .chainInsert: insert(elements) { state in blackHole(state.filter { Predicates.links($0.number) }.count) }
    case .mapElement: mapElement()
    case .mapScan: mapScan()
    case .sliceScan: scan(elements[(elements.count / 4)...])
    case .uniqueBuild: uniqueBuild()
    }
  }

  private var passing: [Item] { elements.filter { Predicates.first($0.number) } }

  @inline(__always)
  private func scan<Items: RandomAccessCollection<Item>>(_ items: Items) -> Trial {
    Trial(items, elementsPerOperation: items.count) { items in
      var sum = 0
      for element in items { sum &+= element.number }
      return sum
    }
  }

  private func element(of items: [Item]) -> Trial {
    var generator = generator
    return Trial((items, Places(in: max(1, items.count), using: &generator))) { state, operations in
      var sum = 0
      for _ in 0..<operations {
        let place = state.1.next()
        sum &+= place < state.0.count ? state.0[place].number : 0
      }
      return sum
    }
  }

  /// An element is inserted at a random place; then what depends on the array is made anew.
  @inline(__always)
  private func insert(_ items: [Item], after change: @escaping ([Item]) -> Void) -> Trial {
    var generator = generator
    let places = Places(in: items.count, using: &generator)
    let spare = SpareElements<Item>(using: &generator)
    return Trial(
      (items, places, spare), mostOperations: max(1, items.count / 4),
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

  /// The element at a random place is replaced; then what depends on the array is made anew.
  @inline(__always)
  private func update(_ items: [Item], after change: @escaping ([Item]) -> Void) -> Trial {
    var generator = generator
    let places = Places(in: items.count, using: &generator)
    let spare = SpareElements<Item>(using: &generator)
    return Trial(
      (items, places, spare, [Item]()), mostOperations: max(1, items.count / 4),
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

  private func filterBuild() -> Trial {
    Trial(elements, elementsPerOperation: elements.count) { $0.filter { Predicates.first($0.number) }.count }
  }

  private func filterChange() -> Trial {
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

  private func filterStricter() -> Trial {
    Trial(passing, elementsPerOperation: elements.count) { $0.filter { Predicates.stricter($0.number) }.count }
  }

  // MARK: Maps

  private func mapElement() -> Trial {
    var generator = generator
    let mapped = elements.map { $0.number &* 7 }
    return Trial((mapped, Places(in: elements.count, using: &generator))) { state, operations in
      var sum = 0
      for _ in 0..<operations { sum &+= state.0[state.1.next()] }
      return sum
    }
  }

  private func mapScan() -> Trial {
    Trial(elements.map { $0.number &* 7 }, elementsPerOperation: elements.count) { sum(of: $0) }
  }

  // MARK: Orders and keys

  private func sortBuild() -> Trial {
    Trial(elements, elementsPerOperation: elements.count) { $0.sorted { $0.number < $1.number }.count }
  }

  /// Sorts by another comparator and back in turn.
  @inline(__always)
  private func reorder(by areInIncreasingOrder: @escaping (Item, Item) -> Bool) -> Trial {
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

  /// The number of sorted elements that do not come behind another; found by binary search.
  @inline(__always)
  private static func place(of element: Item, in sorted: [Item]) -> Int {
    var (low, high) = (0, sorted.count)
    while low < high {
      let middle = (low + high) / 2
      if sorted[middle].number <= element.number { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private func sortInsert() -> Trial {
    var generator = generator
    let sorted = elements.sorted { $0.number < $1.number }
    let spare = SpareElements<Item>(using: &generator)
    return Trial(
      (sorted, spare, [Int]()), mostOperations: max(1, elements.count / 4),
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

  /// The former element is at a random place, which is not looked for.
  private func sortUpdate() -> Trial {
    var generator = generator
    let sorted = elements.sorted { $0.number < $1.number }
    let places = Places(in: elements.count, using: &generator)
    let spare = SpareElements<Item>(using: &generator)
    return Trial(
      (sorted, spare, places, [(place: Int, former: Item)]()), mostOperations: max(1, elements.count / 4),
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

  private func groupBuild() -> Trial {
    Trial(elements, elementsPerOperation: elements.count) { Dictionary(grouping: $0) { $0.number & 255 }.count }
  }

  private func uniqueBuild() -> Trial {
    Trial(elements, elementsPerOperation: elements.count) { elements in
      var seen: Set<Int> = []
      return elements.filter { seen.insert($0.number).inserted }.count
    }
  }
}
