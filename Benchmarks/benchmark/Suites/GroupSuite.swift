import Assemblage

extension Suite {
  /// A group of n random integers in up to 1,000 sections, which are in the order of their keys.
  static var group: Suite {
    Suite("group") {
      Operation(
        "build",
        node { group, source, context in
          Trial(source, elementsPerOperation: context.n, byteCount: group.byteCount) { source in
            GroupNode(source, sectionsBy: { $0 < $1 }) { key($0) }.count
          }
        },
        dictionary { grouping, context in
          Trial(grouping.elements, elementsPerOperation: context.n) { elements in
            DictionaryGrouping(elements) { key($0) }.sections.count
          }
        })
      // In the next two operations, one element changes, and one observer is notified.
      Operation(
        "edit",
        node { group, source, context in
          let received = Heard()
          let observation = group.observe { received.sum &+= $0.children.first?.position ?? 0 }
          return Trial(
            (source, context.places(), received, observation), mostOperations: max(1, context.n / 4),
            reset: { state, operations in for _ in 0..<operations { state.0.remove(at: state.1.takeBack()) } },
            run: { state, operations in
              for _ in 0..<operations {
                let place = state.1.next()
                state.0.insert(place &* 7_919 & (bound - 1), at: place)
              }
              return state.2.sum
            })
        },
        dictionary { grouping, context in
          var grouping = grouping
          let received = grouping.observe()
          return Trial(
            (grouping, context.places(), received), mostOperations: max(1, context.n / 4),
            reset: { state, operations in for _ in 0..<operations { state.0.remove(at: state.1.takeBack()) } },
            run: { state, operations in
              for _ in 0..<operations {
                let place = state.1.next()
                state.0.insert(place &* 7_919 & (bound - 1), at: place)
              }
              return state.2.sum
            })
        })
      Operation(
        "update-key",
        node { group, source, context in
          let received = Heard()
          let observation = group.observe { received.sum &+= $0.children.count }
          return Trial((source, context.places(), received, observation)) { state, operations in
            for _ in 0..<operations {
              let place = state.1.next()
              state.0[place] = state.0[place] &* 7_919 & (bound - 1)
            }
            return state.2.sum
          }
        },
        dictionary { grouping, context in
          var grouping = grouping
          let received = grouping.observe()
          return Trial((grouping, context.places(), received)) { state, operations in
            for _ in 0..<operations {
              let place = state.1.next()
              state.0.update(at: place, to: state.0.elements[place] &* 7_919 & (bound - 1))
            }
            return state.2.sum
          }
        })
      // One element changes, and with it the total of its section, in n / 100 sections with the greatest total first.
      Operation(
        "update-total",
        Subject("SortNode", .library) { context in
          let sections = max(1, context.n / 100)
          let source = ArrayNode(context.integers(below: bound))
          let group = GroupNode(source) { $0 % sections }
          let sorted = SortNode(group, by: AggregateIndex(of: group, .sum { $0 / sections }), order: .reverse)
          let received = Heard()
          let observation = sorted.observe { received.sum &+= $0.delta.moves.count }
          return Trial((source, context.places(), received, observation)) { state, operations in
            for _ in 0..<operations {
              let place = state.1.next()
              state.0[place] = otherAmount(state.0[place], sections)
            }
            return state.2.sum
          }
        },
        Subject("SortedTotals", .competitor) { context in
          let sections = max(1, context.n / 100)
          var totals = SortedTotals(context.integers(below: bound), sectionCount: sections)
          let received = totals.observe()
          return Trial((totals, context.places(), received)) { state, operations in
            for _ in 0..<operations {
              let place = state.1.next()
              state.0.update(at: place, to: otherAmount(state.0.elements[place], sections))
            }
            return state.2.sum
          }
        })
      // A random row of a random section is read. A table keeps its sections.
      Operation(
        "element",
        node { group, _, context in
          let sections = (0..<group.count).map { group.section(at: $0) }
          return Trial((sections, context.places(), group)) { state, operations in
            total(operations) {
              let place = state.1.next()
              let section = state.0[place % state.0.count]
              return section.element(at: place % section.count)!
            }
          }
        },
        dictionary { grouping, context in
          Trial((grouping, context.places())) { state, operations in
            var sum = 0
            for _ in 0..<operations {
              let place = state.1.next()
              let section = place % state.0.sections.count
              sum &+= state.0.element(section: section, row: place % state.0.sections[section].rows.count)
            }
            return sum
          }
        })
    }
  }

  private static var bound: Int { 1 << 30 }

  /// Another element of the same section.
  @inline(__always)
  private static func otherAmount(_ element: Int, _ sections: Int) -> Int {
    (element &* 7_919 & (bound - 1)) / sections * sections + element % sections
  }

  @inline(__always)
  private static func key(_ element: Int) -> Int { element % 1_000 }

  private static func node(
    _ trial: @escaping (GroupNode<Int, Int>, ArrayNode<Int>, inout Context) -> Trial
  ) -> Subject {
    Subject("GroupNode", .library) { context in
      let source = ArrayNode(context.integers(below: bound))
      return trial(GroupNode(source, sectionsBy: { $0 < $1 }) { key($0) }, source, &context)
    }
  }

  private static func dictionary(_ trial: @escaping (DictionaryGrouping, inout Context) -> Trial) -> Subject {
    Subject("DictionaryGrouping", .competitor) { context in
      trial(DictionaryGrouping(context.integers(below: bound)) { key($0) }, &context)
    }
  }
}
