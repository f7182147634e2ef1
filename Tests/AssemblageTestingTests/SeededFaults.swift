@_spi(NodeAuthors) import Assemblage
import AssemblageTesting

/// A fault by one in a node. Each fault breaks one law.
enum SeededFault: CaseIterable {
  case countIsOneTooHigh
  case spansStartOneTooEarly, elementIsTheNextOne
  case mapIsOffByOne, mapForgetsTheLast
  case removalIsOffByOne, insertionIsMirroredOffByOne, editIsNotReported
  case updateIsAReplacement, moveIsAReplacement, neighbourIsReplaced
  case twoDeliveries
  case toldTooEarly, countRunsAhead
  case foundBehindTheEnd, foundBelowZero

  /// The law that the fault breaks.
  var law: NodeLaw {
    switch self {
    case .countIsOneTooHigh: .countIsEnumerated
    case .spansStartOneTooEarly, .elementIsTheNextOne: .accessAgrees
    case .mapIsOffByOne, .mapForgetsTheLast: .mapsAreInverse
    case .removalIsOffByOne, .insertionIsMirroredOffByOne, .editIsNotReported: .replayAgrees
    case .updateIsAReplacement, .moveIsAReplacement, .neighbourIsReplaced: .changesAreMinimal
    case .twoDeliveries: .oneDeliveryATransaction
    case .toldTooEarly, .countRunsAhead: .deliveriesAreSettled
    case .foundBehindTheEnd, .foundBelowZero: .boundsAreKept
    }
  }
}

/// A list of rows that is right, or wrong by one when the list holds five rows or edits the third.
final class Shelf: TreeNode {
  private let author = NodeAuthor()
  var port: NodePort { author.port }
  private let fault: SeededFault?
  private var rows: [Row]
  private var countAhead = 0

  init(_ rows: [Row], fault: SeededFault?) {
    self.rows = rows
    self.fault = fault
    author.attach(to: self)
  }

  var count: Int { rows.count + (fault == .countIsOneTooHigh && rows.count == 5 ? 1 : 0) + countAhead }

  func element(at position: Int) -> Row? {
    if fault == .elementIsTheNextOne, position == 2, rows.count > 3 { return rows[3] }
    if fault == .foundBehindTheEnd, position == rows.count { return rows.last }
    if fault == .foundBelowZero, position == -1 { return rows.first }
    return rows.indices.contains(position) ? rows[position] : nil
  }

  func forEachSpan(in range: Range<Int>, _ body: (_ start: Int, _ span: Span<Row>) -> Void) {
    let shift = fault == .spansStartOneTooEarly && range.lowerBound > 2 ? 1 : 0
    let rows = Array(rows[range.lowerBound - shift..<min(range.upperBound, rows.count) - shift])
    if !rows.isEmpty { body(range.lowerBound, rows.span) }
  }

  func insert(_ row: Row, at position: Int) {
    if fault == .countRunsAhead {
      author.prepareForChange()
      countAhead = 1
      author.publish(ChangeSet(.insertion(rows.count..<rows.count + 1)))
      countAhead = 0
      return rows.append(row)
    }
    edit(.insertion(position..<position + 1)) { rows.insert(row, at: position) }
  }

  func remove(at position: Int) {
    let isOff = fault == .removalIsOffByOne && position == 2 && rows.count > 3
    let reported = isOff ? position + 1 : position
    edit(.removal(reported..<reported + 1)) { rows.remove(at: position) }
  }

  func move(from position: Int, to destination: Int) {
    var delta = Delta.move(position..<position + 1, to: destination)
    if fault == .moveIsAReplacement {
      delta = Delta(removals: [position..<position + 1], insertions: [destination..<destination + 1])
    }
    edit(delta) { rows.insert(rows.remove(at: position), at: destination) }
  }

  func update(at position: Int) {
    let here = position..<position + 1
    edit(fault == .updateIsAReplacement ? Delta(removals: [here], insertions: [here]) : .update(here)) {
      rows[position].version += 1
    }
  }

  func replace(_ range: Range<Int>, with new: [Row]) {
    if fault == .twoDeliveries {
      edit(.removal(range)) { rows.removeSubrange(range) }
      let inserted = range.lowerBound..<range.lowerBound + new.count
      return edit(.insertion(inserted)) { rows.insert(contentsOf: new, at: inserted.lowerBound) }
    }
    // The faulty node reports one row too many as replaced, by itself.
    let more = fault == .neighbourIsReplaced && range.upperBound < rows.count ? 1 : 0
    let delta = Delta(
      removals: [range.lowerBound..<range.upperBound + more],
      insertions: [range.lowerBound..<range.lowerBound + new.count + more])
    edit(delta) { rows.replaceSubrange(range, with: new) }
  }

  private func edit(_ delta: Delta, _ body: () -> Void) {
    author.prepareForChange()
    if fault == .toldTooEarly {
      author.publish(ChangeSet(delta))
      body()
    } else {
      body()
      if fault == .editIsNotReported, rows.count == 5 { return }
      author.publish(ChangeSet(delta))
    }
  }
}

/// Another node's rows, the last one first; right or wrong like a `Shelf`.
final class Mirror: TreeNode, PositionMapping {
  private let author = NodeAuthor()
  var port: NodePort { author.port }
  let source: any TreeNode<Row>
  private let fault: SeededFault?
  private var sourceCount: Int

  init(_ source: any TreeNode<Row>, fault: SeededFault?) {
    self.source = source
    self.fault = fault
    sourceCount = source.count
    author.attach(to: self) { $0.translate($1[0].change.delta) }
    author.link(source, slot: 0)
  }

  var count: Int { sourceCount }
  func element(at position: Int) -> Row? {
    position >= 0 && position < sourceCount ? source.element(at: sourceCount - 1 - position) : nil
  }

  var mappedSources: [any TreeNode<Row>] { [source] }
  func sourcePlace(of position: Int) -> SourcePlace? {
    let isOff = fault == .mapIsOffByOne && sourceCount == 5 && position > 0
    return SourcePlace(source: 0, position: sourceCount - 1 - position + (isOff ? 1 : 0))
  }

  func position(of place: SourcePlace) -> Int? {
    if fault == .mapForgetsTheLast, place.position == 4 { return nil }
    return sourceCount - 1 - place.position
  }

  private func translate(_ delta: Delta) -> ChangeSet {
    let former = sourceCount
    let present = former + delta.countChange
    sourceCount = present
    func mirrored(_ range: Range<Int>, _ count: Int) -> Range<Int> {
      count - range.upperBound..<count - range.lowerBound
    }
    let shift = fault == .insertionIsMirroredOffByOne && delta.insertions.first == 2..<3 && present > 4 ? 1 : 0
    return ChangeSet(
      Delta(
        removals: delta.removals.map { mirrored($0, former) },
        insertions: delta.insertions.map { mirrored($0, present - shift) },
        updates: delta.updates.map { mirrored($0, present) },
        moves: delta.moves.map { Delta.Move(from: mirrored($0.source, former), to: mirrored($0.destination, present)) }
      ))
  }
}
