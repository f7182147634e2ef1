import Assemblage
import AssemblageWidgets
import CheckedUIKit
import Foundation
import TestSupport
import Testing
import UIKitStub

/// The views of a stack view, which follow a node.
@MainActor @Suite struct UIKitStackTests {
  @Test func viewsFollowTheRows() {
    let names = ArrayNode(["Bob", "Ada"])
    let stack = UIStackView()
    let views = stack.arrange(ListCoordinator(names)) { _ in
      UILabel()
    } configure: {
      $0.text = $1
    }
    func texts() -> [String?] { stack.arrangedSubviews.map { ($0 as? UILabel)?.text } }
    #expect(texts() == ["Bob", "Ada"])
    let bob = stack.arrangedSubviews[0]
    names.move(from: 0, to: 1)
    #expect(texts() == ["Ada", "Bob"] && stack.arrangedSubviews[1] === bob)
    names[1] = "Bo"
    #expect(texts() == ["Ada", "Bo"] && stack.arrangedSubviews[1] === bob)
    views.coordinator.suspend()
    names.removeAll()
    names.append("Cy")
    #expect(texts() == ["Ada", "Bo"])
    views.coordinator.resume()
    // A stack view would still show a view that it only no longer arranges.
    #expect(texts() == ["Cy"] && stack.subviews.count == 1)
    views.coordinator.reload()
    #expect(texts() == ["Cy"] && stack.subviews.count == 1)
  }

  @Test func randomChangesAreFollowed() {
    var generator = SeededGenerator(seed: TestSeed.seed)
    let numbers = ArrayNode(Array(0..<5))
    let stack = UIStackView()
    let views = stack.arrange(ListCoordinator(numbers)) { _ in
      UILabel()
    } configure: {
      $0.text = "\($1)"
    }
    for step in 0..<TestSeed.length(100) {
      let former = Dictionary(uniqueKeysWithValues: zip(numbers.elements, stack.arrangedSubviews))
      var changed: Set<Int> = []
      numbers.performUpdates {
        for _ in 0..<3 where numbers.count > 1 {
          let (first, second) = (
            Int.random(in: 0..<numbers.count, using: &generator), Int.random(in: 0..<numbers.count, using: &generator)
          )
          switch Int.random(in: 0..<4, using: &generator) {
          case 0: numbers.move(from: first, to: second)
          case 1: numbers.remove(at: first)
          case 2:
            changed.insert(100 + 10 * step + changed.count)
            numbers[first] = 100 + 10 * step + changed.count - 1
          default: break
          }
        }
        numbers.insert(5_000 + step, at: Int.random(in: 0...numbers.count, using: &generator))
      }
      #expect(stack.arrangedSubviews.map { ($0 as? UILabel)?.text } == numbers.elements.map { "\($0)" })
      for (number, view) in zip(numbers.elements, stack.arrangedSubviews) {
        if let same = former[number] { #expect(view === same, "a row that stays keeps its view") }
      }
      #expect(stack.subviews.count == numbers.count && views.views.count == numbers.count)
    }
  }
}
