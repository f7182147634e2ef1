@_spi(NodeAuthors) import Assemblage

extension Suite {
  /// One net change of k single edits at random places among 2^20 elements.
  static var changes: Suite {
    Suite("changes") {
      Operation(
        "compose",
        Subject("Delta", .library) { context in
          let edits = edits(&context)
          return Trial(edits, elementsPerOperation: edits.count) { edits in
            SingleEdit.delta(of: edits).insertions.count
          }
        },
        Subject("IndexSets", .competitor) { context in
          let edits = edits(&context)
          return Trial(edits, elementsPerOperation: edits.count) { edits in
            SingleEdit.indexSets(of: edits).insertions.count
          }
        })
    }
  }

  private static func edits(_ context: inout Context) -> [SingleEdit] {
    SingleEdit.random(context.n, among: 1 << 20, using: &context.generator)
  }
}

/// An edit of one element of a sequence.
enum SingleEdit {
  case insert(Int)
  case remove(Int)
  case update(Int)

  /// Returns random edits: half of them are insertions, a quarter removals, and a quarter updates.
  static func random(_ k: Int, among count: Int, using generator: inout SplitMix) -> [SingleEdit] {
    var count = count
    return (0..<k).map { _ in
      let place = Int.random(in: 0..<count, using: &generator)
      switch Int.random(in: 0..<4, using: &generator) {
      case 0 where count > 1:
        count -= 1
        return .remove(place)
      case 1:
        return .update(place)
      default:
        count += 1
        return .insert(place)
      }
    }
  }

  /// The net change of `edits`, composed by the library.
  static func delta(of edits: [SingleEdit]) -> Delta {
    var composer = DeltaComposer()
    for edit in edits {
      switch edit {
      case .insert(let place): composer.append(.insertion(place..<place + 1))
      case .remove(let place): composer.append(.removal(place..<place + 1))
      case .update(let place): composer.append(.update(place..<place + 1))
      }
    }
    return composer.net()
  }

  /// The net change of `edits`, composed by shifted sets.
  static func indexSets(of edits: [SingleEdit]) -> IndexSets {
    var sets = IndexSets()
    for edit in edits {
      switch edit {
      case .insert(let place): sets.insert(at: place)
      case .remove(let place): sets.remove(at: place)
      case .update(let place): sets.update(at: place)
      }
    }
    return sets
  }
}
