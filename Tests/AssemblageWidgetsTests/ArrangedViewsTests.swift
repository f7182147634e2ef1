import Assemblage
import AssemblageWidgets
import TestSupport
import Testing

@Suite struct ArrangedViewsTests {
  /// A view of a container.
  private final class View { var text = "" }

  /// Only the views of rows that move, leave or arrive are taken out of the container and put into it.
  @Test func theViewsOfOtherRowsStayInTheContainer() {
    let names = ArrayNode(["a", "b", "c", "d"])
    var (container, log): ([View], [String]) = ([], [])
    let arranged = ArrangedViews(ListCoordinator(names)) { _ in
      View()
    } configure: { view, name in
      view.text = name
    } insert: { view, position in
      log.append("+\(view.text)")
      container.insert(view, at: position)
    } remove: { view in
      log.append("-\(view.text)")
      container.removeAll { $0 === view }
    }
    func expect(_ changes: [String]) {
      #expect(log == changes)
      #expect(container.map(\.text) == names.elements && arranged.views.map(\.text) == names.elements)
      log = []
    }
    expect(["+a", "+b", "+c", "+d"])
    names.move(from: 0, to: 3)
    expect(["-a", "+a"])
    names.performUpdates {
      names.remove(at: 0)
      names.move(from: 1, to: 0)
      names.insert("e", at: 1)
      names[3] = "A"
    }
    expect(["-c", "-b", "+e", "+c"])
    arranged.coordinator.reload()
    expect(["-d", "-e", "-c", "-A", "+d", "+e", "+c", "+A"])
  }
}
