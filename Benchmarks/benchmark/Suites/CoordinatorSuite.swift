import Assemblage
import AssemblageWidgets
import Foundation

extension Suite {
  /// A list of n integers, and a widget that shows forty of its rows. The time is from an edit until the widget shows
  /// it.
  static var coordinator: Suite {
    Suite("coordinator") {
      Operation(
        "edit",
        Subject("ListCoordinator", .library) { context in
          let list = ArrayNode(context.integers(below: 1_000_000))
          let (coordinator, widget) = (ListCoordinator(list), Screen())
          widget.count = { [unowned coordinator] _ in coordinator.count }
          widget.element = { [unowned coordinator] in coordinator.element(at: $0[1])! }
          coordinator.widget = widget
          return insertions(list, &context, keeping: (coordinator, widget)) { widget.sum }
        },
        // The cost of the edit without a coordinator: an observer reads the element.
        Subject("ArrayNode.observe", .library) { context in
          let (list, received) = (ArrayNode(context.integers(below: 1_000_000)), Heard())
          let observation = list.observe { [unowned list] change in
            received.sum &+= change.delta.insertions.first.flatMap { list.element(at: $0.lowerBound) } ?? 0
          }
          return insertions(list, &context, keeping: observation) { received.sum }
        },
        // The former list is compared with the new one, as diffable data sources do.
        Subject("CollectionDifference", .competitor) { context in
          let elements = context.integers(below: 1_000_000)
          return Trial(
            (elements, context.places(), 0), mostOperations: max(1, context.n / 4),
            reset: { state, operations in for _ in 0..<operations { state.0.remove(at: state.1.takeBack()) } },
            run: { state, operations in
              for _ in 0..<operations {
                let (former, place) = (state.0, state.1.next())
                state.0.insert(place, at: place)
                for case .insert(let offset, let element, _) in state.0.difference(from: former) where offset >= 0 {
                  state.2 &+= element
                }
              }
              return state.2
            })
        })
      // A section has a thousand rows.
      Operation(
        "edit-in-section",
        Subject("SectionedListCoordinator", .library) { context in
          let (root, edited) = sections(&context)
          let (coordinator, widget) = (SectionedListCoordinator(root), Screen())
          widget.count = { [unowned coordinator] in
            $0.isEmpty ? coordinator.sectionCount : coordinator.count(ofSection: $0[0])
          }
          widget.element = { [unowned coordinator] in coordinator.element(at: $0)! }
          coordinator.widget = widget
          return insertions(edited, &context, keeping: (coordinator, widget)) { widget.sum }
        },
        Subject("BranchNode.observe", .library) { context in
          let (root, edited) = sections(&context)
          let received = Heard()
          let observation = root.observe { [unowned root] change in
            for path in change.paths.insertions { received.sum &+= root.element(at: path) ?? 0 }
          }
          return insertions(edited, &context, keeping: (root, observation)) { received.sum }
        })
    }
  }

  /// Inserts elements at random places, and removes them again. An observer or a widget reads each element.
  private static func insertions(
    _ list: ArrayNode<Int>, _ context: inout Context, keeping follower: Any, sum: @escaping () -> Int
  ) -> Trial {
    return Trial(
      (list, context.places(in: list.count), follower), mostOperations: max(1, list.count / 4),
      reset: { state, operations in for _ in 0..<operations { state.0.remove(at: state.1.takeBack()) } },
      run: { state, operations in
        for _ in 0..<operations {
          let place = state.1.next()
          state.0.insert(place, at: place)
        }
        return sum()
      })
  }

  private static func sections(_ context: inout Context) -> (root: BranchNode<Int>, edited: ArrayNode<Int>) {
    let elements = context.integers(below: 1_000_000)
    let sections = stride(from: 0, to: elements.count, by: 1_000).map {
      ArrayNode(Array(elements[$0..<min($0 + 1_000, elements.count)]))
    }
    return (BranchNode(sections), sections[sections.count / 2])
  }
}

/// A widget that regards every insertion as one on its screen, and fills a cell for it.
private final class Screen: ListWidget {
  var count: (IndexPath) -> Int = { _ in 0 }
  var element: (IndexPath) -> Int = { _ in 0 }
  private(set) var sum = 0

  func reload() {}

  func perform(_ batch: ChangeSet.Batch, commit: @escaping () -> Void) {
    commit()
    for path in batch.insertions { sum &+= element(path) }
  }

  func shownCount(at path: IndexPath) -> Int? { count(path) }
}
