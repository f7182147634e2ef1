import Assemblage
import Foundation
import TestSupport

// Writing through joins and filters, beside the same edit on the sources' models.
extension GraphFuzz {
  /// Where an edit of a derived node ends up.
  private enum Target {
    case rows(Specimen, Int)
    case leaf(Specimen, Int)
  }

  func writeThrough(_ kind: Kind) -> Bool {
    let candidates = specimens.filter {
      switch $0.model {
      case .join, .filter: true
      default: false
      }
    }
    guard let specimen = candidates.randomElement(using: &generator), let writer = specimen.node.writer else {
      return false
    }
    let count = specimen.expected.children.count
    switch kind {
    case .writeInsert:
      let position = Int.random(in: 0...count, using: &generator)
      guard let target = insertionTarget(specimen, position) else { return false }
      let row = freshRow()
      perform(target, leaf: { $0.insert(.leaf(row), at: $1) }, rows: { $0.insert(row, at: $1) })
      writer.insert(row, at: position)
    case .writeRemove:
      guard count > 0 else { return false }
      let position = Int.random(in: 0..<count, using: &generator)
      guard let target = target(specimen, position) else { return false }
      perform(target, leaf: { $0.remove(at: $1) }, rows: { $0.remove(at: $1) })
      writer.removeChild(at: position)
    case .writeReplace:
      guard count > 0 else { return false }
      let position = Int.random(in: 0..<count, using: &generator)
      guard let target = target(specimen, position), var row = specimen.expected.children[position].value else {
        return false
      }
      row.version += 1
      perform(target, leaf: { $0[$1] = .leaf(row) }, rows: { $0[$1] = row })
      writer.replace(at: position, with: row)
    default:
      guard count > 0 else { return false }
      let position = Int.random(in: 0..<count, using: &generator)
      let destination = Int.random(in: 0..<count, using: &generator)
      guard let target = target(specimen, position), let row = specimen.expected.children[position].value,
        case .join = specimen.model, specimen.allLeavesAreArrays
      else { return false }
      // The same rule in naive terms: within the member if it can be, else the member before the place.
      var starts = [0]
      for member in specimen.members { starts.append(starts.last! + member.expected.children.count) }
      let member = specimen.members.indices.first { starts[$0] <= position && position < starts[$0 + 1] }!
      let range = starts[member]..<starts[member + 1]
      perform(target, leaf: { $0.remove(at: $1) }, rows: { $0.remove(at: $1) })
      if range.contains(destination) {
        let goal = insertionPoint(specimen.members[member], destination - range.lowerBound)
        perform(goal, leaf: { $0.insert(.leaf(row), at: $1) }, rows: { $0.insert(row, at: $1) })
      } else {
        guard let goal = insertionTarget(specimen, destination) else { return true }
        perform(goal, leaf: { $0.insert(.leaf(row), at: $1) }, rows: { $0.insert(row, at: $1) })
      }
      writer.move(from: position, to: destination)
    }
    return true
  }

  /// The plain place in a member that holds its rows itself.
  private func insertionPoint(_ specimen: Specimen, _ position: Int) -> Target { .rows(specimen, position) }

  private func perform(
    _ target: Target, leaf: (inout [Specimen.Child], Int) -> Void, rows: (inout [Row], Int) -> Void
  ) {
    switch target {
    case .rows(let specimen, let position): rows(&specimen.rows, position)
    case .leaf(let specimen, let position): leaf(&specimen.children, position)
    }
  }

  /// The source that owns a child of a node; nil where it is no plain element of a writable source.
  private func target(_ specimen: Specimen, _ position: Int) -> Target? {
    switch specimen.model {
    case .array: return .rows(specimen, position)
    case .single, .provider: return nil
    case .branch:
      if case .leaf = specimen.children[position] { return .leaf(specimen, position) }
      return nil
    case .join:
      var rest = position
      for member in specimen.members {
        let count = member.expected.children.count
        if rest < count { return target(member, rest) }
        rest -= count
      }
      return nil
    case .filter(_, let source):
      let visible = source.expected.children.indices.filter { index in
        source.expected.children[index].value.map(specimen.passes) ?? true
      }
      return target(source, visible[position])
    }
  }

  /// The source that takes an insertion at a place of a node; nil where it cannot be written.
  private func insertionTarget(_ specimen: Specimen, _ position: Int) -> Target? {
    switch specimen.model {
    case .array: return .rows(specimen, position)
    case .single, .provider: return nil
    case .branch: return .leaf(specimen, position)
    case .join:
      guard position > 0 else { return specimen.members.first.flatMap { insertionTarget($0, 0) } }
      // The member that holds the element before the place.
      var rest = position
      for member in specimen.members {
        let count = member.expected.children.count
        if rest <= count, count > 0 { return insertionTarget(member, rest) }
        rest -= count
      }
      return nil
    case .filter(_, let source):
      guard position > 0 else { return insertionTarget(source, 0) }
      let visible = source.expected.children.indices.filter { index in
        source.expected.children[index].value.map(specimen.passes) ?? true
      }
      return insertionTarget(source, visible[position - 1] + 1)
    }
  }
}

extension GraphFuzz.Specimen {
  /// Whether this is a join of arrays, each a member once, so that a move's goal can be said naively.
  var allLeavesAreArrays: Bool {
    var seen = Set<ObjectIdentifier>()
    return members.allSatisfy {
      if case .array = $0.model { seen.insert(ObjectIdentifier($0)).inserted } else { false }
    }
  }
}
