/// Where a `ResultsNode` gets its sections and objects from: something like a Core Data fetched-results controller.
///
/// A controller shows sections of objects. When these change, it tells the node so, in this order: `willChange()`, one
/// `note(_:)` for each section and object concerned, `didChange()`. When it calls `didChange()`, its own sections and
/// objects are those after the change.
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
  /// What the sections hold.
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
  /// - Parameter path: the section and the place in it.
  /// - Returns: the object that stands there now.
  func object(at path: IndexPath) -> Object

  /// The name of a section, which should be unique.
  ///
  /// - Parameter section: `0..<numberOfSections`.
  /// - Returns: the name.
  func sectionName(at section: Int) -> String

  /// The titles of the section index, such as the letters beside a long list, in order.
  ///
  /// The default is the first character of each section's name in upper case, each title once.
  var sectionIndexTitles: [String] { get }

  /// The section to which a title of the section index leads.
  ///
  /// The default is the first section whose name begins with this character, in upper or lower case.
  ///
  /// - Parameters:
  ///   - title: the title.
  ///   - index: its place among the `sectionIndexTitles`.
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

/// What a results controller says of one section or object.
///
/// Within one batch, whatever was there before the batch is named by its place **before** the whole batch, and whatever is
/// there afterwards by its place **after** the whole batch; the order of the events does not matter.
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
  /// A section came: its place after the batch. Its objects may be told as inserted, or as moved into it; of which nothing is
  /// told, those are new.
  case insertSection(Int)

  /// A section left: its place before the batch. Objects that are not told to have moved left with it.
  case deleteSection(Int)

  /// An object came: its path after the batch.
  case insert(at: IndexPath)

  /// An object left: its path before the batch.
  case delete(at: IndexPath)

  /// An object moved, within its section or to another one, and changed: its paths before and after the batch. Where both
  /// say the same place, it only changed.
  case move(from: IndexPath, to: IndexPath)

  /// An object changed: its path **before** the batch.
  case update(at: IndexPath)
}

/// A batch of events that do not lead from what a controller showed before to what it shows now.
///
/// ```swift
/// // One of two objects has left the only section, and the controller forgets to say so.
/// node.onInconsistency = { print($0) }
/// node.willChange()
/// node.didChange()
/// // The section 0 has 1 objects: of 2 there were, 0 left or moved, and 0 came or moved.
/// node.section(at: 0).count    // 1, all the same
/// ```
public struct ResultsInconsistency: Error, Hashable, Sendable, CustomStringConvertible {
  /// The events.
  public let events: [ResultsEvent]

  /// What does not fit, in one sentence.
  public let description: String
}
