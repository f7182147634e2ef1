public import Foundation

// The edits of lists in SwiftUI, which passes the offsets of rows to `onDelete` and `onMove`.
extension TreeNode {
  /// Removes the children at some positions, for example at the offsets that `onDelete` of SwiftUI passes.
  ///
  /// Observers are notified of all removals as one change. The children of a view are removed from its sources.
  ///
  /// ```swift
  /// let letters = ArrayNode(["a", "b", "c"])
  /// letters.remove(atOffsets: [0, 2])
  /// letters.elements            // ["b"]
  /// ```
  ///
  /// - Parameter offsets: positions in this node, each within `0..<count`.
  /// - Precondition: this node can be written.
  /// - Complexity: O(k · log n) for k children, and the propagation.
  public func remove(atOffsets offsets: IndexSet) {
    performUpdates {
      for offset in offsets.reversed() { remove(at: [offset]) }
    }
  }

  /// Moves the children at some positions together, for example at the offsets that `onMove` of SwiftUI passes.
  ///
  /// The children keep their order. Observers are notified of one change with the fewest moves. They are not notified
  /// if the order is the same.
  ///
  /// ```swift
  /// let letters = ArrayNode(["a", "b", "c", "d"])
  /// letters.move(fromOffsets: [0, 2], toOffset: 4)
  /// letters.elements            // ["b", "d", "a", "c"]
  /// ```
  ///
  /// - Parameters:
  ///   - offsets: positions before the move, each within `0..<count`.
  ///   - destination: `0...count`, the position before the move of the child that will follow the moved ones.
  /// - Precondition: this node can be written, and allows the moves.
  /// - Complexity: O(k · log n) for k children, and the propagation.
  public func move(fromOffsets offsets: IndexSet, toOffset destination: Int) {
    performUpdates {
      for (distance, offset) in offsets.filter({ $0 < destination }).reversed().enumerated() {
        move(from: [offset], to: [destination - 1 - distance])
      }
      for (distance, offset) in offsets.filter({ $0 >= destination }).enumerated() {
        move(from: [offset], to: [destination + distance])
      }
    }
  }
}
