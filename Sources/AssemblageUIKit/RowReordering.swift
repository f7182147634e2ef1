// Has not been compiled with UIKit, which Linux lacks: see Docs/ShowingANode.md.
#if canImport(UIKit) && !os(watchOS)
  import Assemblage
  import Foundation

  /// A row that the user moves in a table that is edited. The table moves the row before the node does.
  ///
  /// So the table must not perform the batch with this move again. If the node has changed in another way, the table
  /// has to reload.
  struct RowReordering {
    private let source: IndexPath
    private let destination: IndexPath
    private var batches: [ChangeSet.Batch] = []

    /// Creates a move.
    ///
    /// - Parameters:
    ///   - source: the row before the move.
    ///   - destination: the row after the move.
    init(source: IndexPath, destination: IndexPath) {
      self.source = source
      self.destination = destination
    }

    /// Records a batch that the coordinator has for the table during the move.
    mutating func note(_ batch: ChangeSet.Batch) { batches.append(batch) }

    /// Whether the table shows all batches: there is one, which consists of this move.
    var isShown: Bool {
      guard batches.count == 1, let batch = batches.first, batch.moves.count == 1,
        batch.deletions.isEmpty, batch.insertions.isEmpty, batch.reloads.isEmpty
      else { return false }
      let move = batch.moves[0]
      if move.source == source { return move.destination == destination }
      // Where neighbors change places, the batch may move either of them.
      return move.source == destination && move.destination == source && source[0] == destination[0]
        && abs(source[1] - destination[1]) == 1
    }
  }
#endif
