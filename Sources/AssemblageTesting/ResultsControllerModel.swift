public import Assemblage

/// A results controller in memory, which reports changes in the same way as a fetched-results controller.
///
/// With this model, tests of a `ResultsNode` and of the nodes above it need no database.
///
/// ```swift
/// let controller = ResultsControllerModel([("A", ["Ada", "Al"]), ("B", ["Bo"])], id: { $0 })
/// let node = ResultsNode(controller, id: { $0 })
/// controller.change(to: [("A", ["Al"]), ("B", ["Bo", "Ada"])], telling: node)   // moves [0, 0] to [1, 1]
/// ```
public final class ResultsControllerModel<Object>: ResultsController {
  /// A section's name and its objects.
  public typealias Section = (name: String, objects: [Object])

  /// The sections that the controller shows.
  public var sections: [Section]

  private let id: (Object) -> AnyHashable
  private let areEqual: (Object, Object) -> Bool

  /// Creates a controller.
  ///
  /// - Parameters:
  ///   - sections: the sections to show; no name occurs twice.
  ///   - id: returns the id of an object.
  ///   - areEqual: returns whether an object has not changed.
  public init<ID: Hashable>(
    _ sections: [Section], id: @escaping (Object) -> ID, areEqual: @escaping (Object, Object) -> Bool
  ) {
    self.sections = sections
    self.id = { AnyHashable(id($0)) }
    self.areEqual = areEqual
  }

  /// Creates a controller of values, which have changed if they are not equal.
  ///
  /// - Parameters:
  ///   - sections: the sections to show; no name occurs twice.
  ///   - id: returns the id of an object.
  public convenience init<ID: Hashable>(_ sections: [Section], id: @escaping (Object) -> ID) where Object: Equatable {
    self.init(sections, id: id, areEqual: ==)
  }

  public var numberOfSections: Int { sections.count }
  public func numberOfObjects(inSection section: Int) -> Int { sections[section].objects.count }
  public func object(at path: IndexPath) -> Object { sections[path[0]].objects[path[1]] }
  public func sectionName(at section: Int) -> String { sections[section].name }

  /// Shows other sections, and reports the change to a node.
  ///
  /// - Parameters:
  ///   - new: the sections to show; no name occurs twice.
  ///   - node: the node of this controller.
  public func change(to new: [Section], telling node: ResultsNode<Object>) {
    let events = events(to: new)
    sections = new
    node.willChange()
    for event in events { node.note(event) }
    node.didChange()
  }

  /// Returns the events that a controller would report if it changed to other sections.
  ///
  /// - Parameter new: the other sections; no name occurs twice.
  /// - Returns: the events of the batch.
  /// - Complexity: O(n) for n objects.
  public func events(to new: [Section]) -> [ResultsEvent] {
    var events: [ResultsEvent] = []
    // Sections never move: a section that changes its order is reported as deleted and inserted.
    var origins: [Int?] = []
    var next = 0
    for section in new {
      let origin = sections.indices.first { $0 >= next && sections[$0].name == section.name }
      origins.append(origin)
      if let origin { next = origin + 1 }
    }
    for section in sections.indices where !origins.contains(section) { events.append(.deleteSection(section)) }
    for section in new.indices where origins[section] == nil { events.append(.insertSection(section)) }

    // Of several objects with the same id, the objects of the same section are matched first.
    var places: [AnyHashable: [IndexPath]] = [:]
    for (section, contents) in sections.enumerated() {
      for (position, object) in contents.objects.enumerated() {
        places[id(object), default: []].append([section, position])
      }
    }
    func take(_ object: Object, where isSuitable: (IndexPath) -> Bool) -> IndexPath? {
      guard let index = places[id(object)]?.firstIndex(where: isSuitable) else { return nil }
      return places[id(object)]?.remove(at: index)
    }
    var matches = new.indices.map { section in
      new[section].objects.map { object in take(object) { $0[0] == origins[section] } }
    }
    for section in new.indices {
      for (position, object) in new[section].objects.enumerated() where matches[section][position] == nil {
        matches[section][position] = take(object) { _ in true }
      }
    }
    for section in new.indices {
      var last = -1
      for (position, object) in new[section].objects.enumerated() {
        let destination: IndexPath = [section, position]
        guard let source = matches[section][position] else {
          events.append(.insert(at: destination))
          continue
        }
        if source[0] != origins[section] || source[1] < last {
          events.append(.move(from: source, to: destination))
          continue
        }
        last = source[1]
        if !areEqual(self.object(at: source), object) { events.append(.update(at: source)) }
      }
    }
    return events + places.values.joined().sorted().map { .delete(at: $0) }
  }
}

@available(*, unavailable)
extension ResultsControllerModel: Sendable {}
