import Assemblage

extension Suite {
  /// n random integers in up to 1,000 sections, which stand in the order of their keys.
  static var group: Suite {
    Suite(
      name: "group",
      operations: [
        Operation(name: "build", subjects: [buildNode, buildDictionary]),
        Operation(name: "edit", subjects: [editNode, editDictionary]),
        Operation(name: "update-key", subjects: [updateNode, updateDictionary]),
        Operation(name: "element", subjects: [elementOfNode, elementOfDictionary]),
      ])
  }

  private static var bound: Int { 1 << 30 }

  @inline(__always)
  private static func key(_ element: Int) -> Int { element % 1_000 }

  private static func elements(_ context: inout Context) -> [Int] {
    (0..<context.n).map { _ in Int.random(in: 0..<bound, using: &context.generator) }
  }

  private static func node(
    _ trial: @escaping (GroupNode<Int, Int>, ArrayNode<Int>, inout Context) -> Trial
  ) -> Subject {
    Subject("GroupNode", .library) { context in
      var context = context
      let source = ArrayNode(elements(&context))
      return trial(GroupNode(source, sectionsBy: { $0 < $1 }) { key($0) }, source, &context)
    }
  }

  private static func dictionary(_ trial: @escaping (DictionaryGrouping, inout Context) -> Trial) -> Subject {
    Subject("DictionaryGrouping", .competitor) { context in
      var context = context
      return trial(DictionaryGrouping(elements(&context)) { key($0) }, &context)
    }
  }

  // MARK: build

  private static var buildNode: Subject {
    node { group, source, context in
      Trial(
        source, elementsPerOperation: context.n, bytesPerElement: Double(group.byteCount) / Double(context.n)
      ) { source in
        GroupNode(source, sectionsBy: { $0 < $1 }) { key($0) }.count
      }
    }
  }

  private static var buildDictionary: Subject {
    dictionary { grouping, context in
      Trial(grouping.elements, elementsPerOperation: context.n) { elements in
        DictionaryGrouping(elements) { key($0) }.sections.count
      }
    }
  }

  // MARK: edit and update-key: one element, to one observer

  private static var editNode: Subject {
    node { group, source, context in
      let heard = Heard()
      let observation = group.observe { heard.sum &+= $0.children.first?.position ?? 0 }
      let places = Places(in: context.n, using: &context.generator)
      return Trial(
        (source, places, heard, observation), mostOperations: max(1, context.n / 4),
        reset: { state, operations in
          for _ in 0..<operations { state.0.remove(at: state.1.takeBack()) }
        },
        run: { state, operations in
          for _ in 0..<operations {
            let place = state.1.next()
            state.0.insert(place &* 7_919 & (bound - 1), at: place)
          }
          return state.2.sum
        })
    }
  }

  private static var editDictionary: Subject {
    dictionary { grouping, context in
      var grouping = grouping
      let heard = Heard()
      grouping.observer = { heard.sum &+= $0 }
      let places = Places(in: context.n, using: &context.generator)
      return Trial(
        (grouping, places, heard), mostOperations: max(1, context.n / 4),
        reset: { state, operations in
          for _ in 0..<operations { state.0.remove(at: state.1.takeBack()) }
        },
        run: { state, operations in
          for _ in 0..<operations {
            let place = state.1.next()
            state.0.insert(place &* 7_919 & (bound - 1), at: place)
          }
          return state.2.sum
        })
    }
  }

  private static var updateNode: Subject {
    node { group, source, context in
      let heard = Heard()
      let observation = group.observe { heard.sum &+= $0.children.count }
      let places = Places(in: context.n, using: &context.generator)
      return Trial((source, places, heard, observation)) { state, operations in
        for _ in 0..<operations {
          let place = state.1.next()
          state.0[place] = state.0[place] &* 7_919 & (bound - 1)
        }
        return state.2.sum
      }
    }
  }

  private static var updateDictionary: Subject {
    dictionary { grouping, context in
      var grouping = grouping
      let heard = Heard()
      grouping.observer = { heard.sum &+= $0 }
      let places = Places(in: context.n, using: &context.generator)
      return Trial((grouping, places, heard)) { state, operations in
        for _ in 0..<operations {
          let place = state.1.next()
          state.0.update(at: place, to: state.0.elements[place] &* 7_919 & (bound - 1))
        }
        return state.2.sum
      }
    }
  }

  // MARK: element: a random row of a random section, which a table has at hand

  private static var elementOfNode: Subject {
    node { group, _, context in
      let sections = (0..<group.count).map { group.section(at: $0) }
      let places = Places(in: context.n, using: &context.generator)
      return Trial((sections, places, group)) { state, operations in
        var sum = 0
        for _ in 0..<operations {
          let place = state.1.next()
          let section = state.0[place % state.0.count]
          sum &+= section.element(at: place % section.count)!
        }
        return sum
      }
    }
  }

  private static var elementOfDictionary: Subject {
    dictionary { grouping, context in
      Trial((grouping, Places(in: context.n, using: &context.generator))) { state, operations in
        var sum = 0
        for _ in 0..<operations {
          let place = state.1.next()
          let section = place % state.0.sections.count
          sum &+= state.0.element(section: section, row: place % state.0.sections[section].rows.count)
        }
        return sum
      }
    }
  }
}
