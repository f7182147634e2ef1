/// The source of the sections and objects of a `ResultsNode`, for example a Core Data fetched-results controller.
///
/// A controller has sections of objects. When these change, the controller or its delegate calls methods of the node in
/// this order: `willChange()`, one `note(_:)` for each section and object that changed, `didChange()`. When
/// `didChange()` is called, the controller must already have the sections and objects after the change.
///
/// ```swift
/// final class Files: ResultsController {
///   var names = ["a", "b"]
///   let numberOfSections = 1
///   func numberOfObjects(inSection section: Int) -> Int { names.count }
///   func object(at path: IndexPath) -> String { names[path[1]] }
///   func sectionName(at section: Int) -> String { "Files" }
/// }
///
/// let files = Files()
/// let node = ResultsNode(files, id: { $0 })
/// node.willChange()
/// files.names.append("c")
/// node.note(.insert(at: [0, 2]))
/// node.didChange()     // node[[0, 2]] is "c"
/// ```
public protocol ResultsController<Object>: AnyObject {
  /// The type of the objects in the sections.
  associatedtype Object

  /// The number of sections.
  var numberOfSections: Int { get }

  /// The number of objects in a section.
  ///
  /// - Parameter section: `0..<numberOfSections`.
  /// - Returns: the number, at least 0.
  func numberOfObjects(inSection section: Int) -> Int

  /// An object.
  ///
  /// - Parameter path: the section, and the position in the section.
  /// - Returns: the object that is there now.
  func object(at path: IndexPath) -> Object

  /// The name of a section, which should be unique.
  ///
  /// - Parameter section: `0..<numberOfSections`.
  /// - Returns: the name.
  func sectionName(at section: Int) -> String

  /// The titles of the section index in order, for example the letters beside a long list.
  ///
  /// By default, these are the first characters of the sections' names in upper case, each title once.
  var sectionIndexTitles: [String] { get }

  /// The section to which a title of the section index leads.
  ///
  /// By default, this is the first section whose name begins with this character, in upper or lower case.
  ///
  /// - Parameters:
  ///   - title: the title.
  ///   - index: the title's position among the `sectionIndexTitles`.
  /// - Returns: the section, `0..<numberOfSections`.
  func section(forIndexTitle title: String, at index: Int) -> Int
}

extension ResultsController {
  public var sectionIndexTitles: [String] {
    var known: Set<String> = []
    return (0..<numberOfSections).compactMap { section in
      let title = defaultIndexTitle(ofSection: section)
      return !title.isEmpty && known.insert(title).inserted ? title : nil
    }
  }

  private func defaultIndexTitle(ofSection section: Int) -> String {
    sectionName(at: section).prefix(1).uppercased()
  }

  public func section(forIndexTitle title: String, at index: Int) -> Int {
    (0..<numberOfSections).first { defaultIndexTitle(ofSection: $0) == title } ?? 0
  }
}

/// A change of one section or object that a results controller reports.
///
/// Within one batch, an event names a former place by its position **before** the whole batch. It names a new place by
/// its position **after** the whole batch. The order of the events does not matter.
///
/// ```swift
/// // Of the sections ["a", "b"] and ["c"], "a" leaves, and "b" goes to the front of the other section.
/// node.willChange()
/// node.note(.delete(at: [0, 0]))
/// node.note(.move(from: [0, 1], to: [1, 0]))    // it was at 1 before the whole batch
/// node.didChange()
/// node.section(at: 1).elements                  // ["b", "c"]
/// ```
public enum ResultsEvent: Hashable, Sendable {
  /// A section arrived: its position after the batch.
  ///
  /// Its objects may be reported as inserted, or as moved into the section. Objects without an event are new.
  case insertSection(Int)

  /// A section left: its position before the batch.
  ///
  /// Objects without a move event left with the section.
  case deleteSection(Int)

  /// An object arrived: its path after the batch.
  case insert(at: IndexPath)

  /// An object left: its path before the batch.
  case delete(at: IndexPath)

  /// An object changed, and moved within its section or to another one: its paths before and after the batch.
  ///
  /// Where both paths name the same place, the object only changed.
  case move(from: IndexPath, to: IndexPath)

  /// An object changed: its path **before** the batch.
  case update(at: IndexPath)
}

/// A batch of events that does not lead from the controller's former contents to its present ones.
///
/// ```swift
/// // One of two objects has left the only section, and the controller forgets the event.
/// node.onInconsistency = { print($0) }
/// node.willChange()
/// node.didChange()
/// // The section 0 has 1 objects: of 2 there were, 0 left or moved, and 0 came or moved.
/// node.section(at: 0).count    // 1, although the event is missing
/// ```
public struct ResultsInconsistency: Error, Hashable, Sendable, CustomStringConvertible {
  /// The events.
  package let events: [ResultsEvent]

  /// The contradiction, in one sentence.
  public let description: String
}
