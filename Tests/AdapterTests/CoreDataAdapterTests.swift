import Assemblage
import AssemblageTesting
import CheckedCoreData
import CoreDataStub
import Foundation
import TestSupport
import Testing

/// The adapter for a fetched-results controller, with a stub that reports recorded batches of events.
@Suite struct CoreDataAdapterTests {
  private final class Item: NSManagedObject {
    let id: Int
    var version = 0
    init(_ id: Int) { self.id = id }
  }

  private typealias Controller = NSFetchedResultsController<Item>

  /// Reports a batch to the controller's delegate, like the real controller. For insertions and moves, the controller
  /// also passes an object's path after the batch.
  private func report(_ controller: Controller, _ events: [ResultsEvent], showing sections: [Controller.Section]) {
    guard let delegate = unsafe controller.delegate else { return }
    // Core Data uses this type for a controller of any results.
    let sender = NSFetchedResultsController<any NSFetchRequestResult>(store: [])
    let former = controller.sections!
    delegate.controllerWillChangeContent(sender)
    controller.sections = sections
    func report(_ type: NSFetchedResultsChangeType, _ path: IndexPath?, _ newPath: IndexPath?) {
      let object = newPath.map { sections[$0[0]].objects![$0[1]] } ?? path.map { former[$0[0]].objects![$0[1]] }
      delegate.controller(sender, didChange: object!, at: path, for: type, newIndexPath: newPath)
    }
    for event in events {
      switch event {
      case .insertSection(let section):
        delegate.controller(sender, didChange: sections[section], atSectionIndex: section, for: .insert)
      case .deleteSection(let section):
        delegate.controller(sender, didChange: former[section], atSectionIndex: section, for: .delete)
      case .insert(let path): report(.insert, nil, path)
      case .delete(let path): report(.delete, path, nil)
      case .move(let source, let destination): report(.move, source, destination)
      case .update(let path): report(.update, path, nil)
      }
    }
    delegate.controllerDidChangeContent(sender)
  }

  @Test(arguments: ResultsRecording.all)
  func recordedBatchesAreReported(_ recording: ResultsRecording) throws {
    var items: [Int: Item] = [:]
    func item(_ number: Int) -> Item {
      let item = items[abs(number)] ?? Item(abs(number))
      items[item.id] = item
      return item
    }
    func sections(_ rows: [[Int]], _ names: String) -> [Controller.Section] {
      zip(names, rows).map { Controller.Section(String($0), $1.map(item)) }
    }
    let controller = Controller(store: sections(recording.before, recording.names.0))
    let node = try FetchedResults.node(of: controller)
    node.onInconsistency = { Issue.record("\($0)") }
    #expect(NaiveTree(of: node).children == recording.before.map { NaiveTree(leaves: $0.map(item)) })
    var reported: [String] = []
    let token = node.observe { reported.append($0.description) }
    report(controller, recording.events, showing: sections(recording.after, recording.names.1))
    #expect(reported == [recording.reported])
    #expect(NaiveTree(of: node).children == recording.after.map { NaiveTree(leaves: $0.map(item)) })
    #expect((0..<node.count).map { node.section(at: $0).name } == controller.sections!.map(\.name))
    token.cancel()
  }

  @Test func theControllerIsAsked() throws {
    let controller = Controller(store: [.init("Ada", [Item(1)]), .init("Bob", [Item(2), Item(3)])])
    let results = try FetchedResults.node(of: controller)
    #expect(unsafe controller.delegate != nil)
    #expect(results.sectionIndexTitles == ["A", "B"])
    #expect(results.section(forIndexTitleAt: 1) == 1 && results[[1, 1]]?.id == 3)
  }

  @Test func aFetchThatFailsIsReported() {
    #expect(throws: Controller.FetchError.self) { try FetchedResults.node(of: Controller(store: nil)) }
  }

  /// The application may keep the controller longer than the node, or release it later.
  @Test func theControllerLosesItsDelegateWithTheNode() throws {
    let controller = Controller(store: [.init("A", [Item(1)])])
    var node: ResultsNode<Item>? = try FetchedResults.node(of: controller)
    #expect(unsafe node?.count == 1 && controller.delegate != nil)
    node = nil
    #expect(unsafe !controller.isDelegateDangling && controller.delegate == nil)
    // Another delegate stays.
    node = try FetchedResults.node(of: controller)
    let other = try FetchedResults.node(of: controller)
    let delegate = unsafe controller.delegate
    node = nil
    #expect(unsafe controller.delegate === delegate && other.count == 1)
  }

  /// Some versions of Core Data do not say where an updated object was.
  @Test func anUpdateWithoutAPathIsReported() throws {
    let (first, second) = (Item(1), Item(2))
    let controller = Controller(store: [.init("A", [first, second])])
    let node = try FetchedResults.node(of: controller)
    node.onInconsistency = { Issue.record("\($0)") }
    var reported: [String] = []
    let token = node.observe { reported.append($0.description) }
    let sender = NSFetchedResultsController<any NSFetchRequestResult>(store: [])
    let delegate = try #require(unsafe controller.delegate)
    delegate.controllerWillChangeContent(sender)
    controller.sections = [Controller.Section("A", [second])]
    delegate.controller(sender, didChange: second, at: nil, for: .update, newIndexPath: nil)
    delegate.controller(sender, didChange: first, at: [0, 0], for: .delete, newIndexPath: nil)
    delegate.controllerDidChangeContent(sender)
    #expect(reported == ["[; 0: [-0]]", "[; 0: [~0]]"])
    token.cancel()
  }

  @Test func theNodeKeepsTheControllerAndNobodyKeepsTheNode() throws {
    weak var weakController: Controller?
    weak var weakNode: ResultsNode<Item>?
    do {
      let controller = Controller(store: [.init("A", [Item(1)])])
      weakController = controller
      let node = try FetchedResults.node(of: controller)
      weakNode = node
      report(controller, [.delete(at: [0, 0])], showing: [.init("A", [])])
      #expect(node.child(at: 0)?.count == 0)
    }
    #expect(weakNode == nil && weakController == nil)
  }
}
