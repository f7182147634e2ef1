public import Assemblage
import Foundation

/// A view for each row of a list, in order: for a container that keeps all its views, such as a stack view.
///
/// ```swift
/// let arranged = ArrangedViews(ListCoordinator(names)) { _ in
///   Label()
/// } configure: { label, name in
///   label.text = name
/// } insert: { label, position in
///   stack.insertArrangedSubview(label, at: position)
/// } remove: { label in
///   label.removeFromSuperview()
/// }
/// ```
///
/// A row that moves keeps its view. A container with more than some hundred rows is better a table, which makes no view
/// for a row out of sight.
///
/// - Complexity: an update takes out and puts in the views of the rows that leave, arrive or move, and no others. Each
///   takes O(n) for n rows.
public final class ArrangedViews<Element, View: AnyObject>: RowsWidget {
  /// The coordinator, which is kept alive.
  public let coordinator: ListCoordinator<Element>

  /// The views, by their rows.
  public private(set) var views: [View] = []

  private let make: (Element?) -> View
  private let configure: (View, Element) -> Void
  private let insert: (View, Int) -> Void
  private let remove: (View) -> Void

  /// Creates the views, and puts them into the container.
  ///
  /// - Parameters:
  ///   - coordinator: the coordinator, whose widget this object becomes.
  ///   - make: makes a view; the element is nil if the row has no element, or has left meanwhile.
  ///   - configure: shows an element in a view: after `make`, and when the row has another value.
  ///   - insert: puts a view into the container, at `0...` the number of its views.
  ///   - remove: takes a view out of the container.
  public init(
    _ coordinator: ListCoordinator<Element>, make: @escaping (Element?) -> View,
    configure: @escaping (View, Element) -> Void, insert: @escaping (View, Int) -> Void,
    remove: @escaping (View) -> Void
  ) {
    self.coordinator = coordinator
    self.make = make
    self.configure = configure
    self.insert = insert
    self.remove = remove
    coordinator.widget = self
  }

  public func reload() {
    for view in views { remove(view) }
    views = (0..<coordinator.count).map(view)
    for (row, view) in views.enumerated() { insert(view, row) }
  }

  public func perform(_ change: Delta, commit: @escaping () -> Void) {
    commit()
    var moved: [Int: View] = [:]
    var (leaving, arriving) = (IndexSet(), IndexSet())
    for move in change.moves {
      for (source, destination) in zip(move.source, move.destination) { moved[destination] = views[source] }
      leaving.insert(integersIn: move.source)
      arriving.insert(integersIn: move.destination)
    }
    for range in change.removals { leaving.insert(integersIn: range) }
    for range in change.insertions { arriving.insert(integersIn: range) }
    for row in leaving.reversed() { remove(views.remove(at: row)) }
    for row in arriving {
      let view = moved[row] ?? view(row)
      insert(view, row)
      views.insert(view, at: row)
    }
    for row in change.updates.joined() { coordinator.element(at: row).map { configure(views[row], $0) } }
  }

  public func shownCount(at path: IndexPath) -> Int? { path.isEmpty ? 1 : views.count }

  private func view(_ row: Int) -> View {
    let element = coordinator.element(at: row)
    let view = make(element)
    if let element { configure(view, element) }
    return view
  }
}

@available(*, unavailable)
extension ArrangedViews: Sendable {}
