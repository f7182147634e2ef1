public import Assemblage
import Foundation
public import Testing

/// A batch of events that a fetched-results controller reports.
///
/// A recording has the objects before and after the batch, and the events in the order of the controller's calls. A
/// recording also has the text of the change that a `ResultsNode` must report.
///
/// Objects are numbers. An object that has changed is negative afterwards.
public struct ResultsRecording: CustomTestStringConvertible, Sendable {
  public var testDescription: String
  public var before: [[Int]]
  public var after: [[Int]]
  public var events: [ResultsEvent]
  public var reported: String
  /// The names of the sections before and after, one letter each.
  public var names = ("abc", "abc")

  /// All recordings.
  public static let all: [ResultsRecording] = [
    ResultsRecording(
      testDescription: "an update is told in coordinates before the batch", before: [[1, 2, 3]],
      after: [[9, 2, 8, -3]],
      events: [.insert(at: [0, 0]), .delete(at: [0, 0]), .insert(at: [0, 2]), .update(at: [0, 2])],
      reported: "[; 0: [-0, +0, +2, ~3]]"),
    ResultsRecording(
      testDescription: "one object moves and is updated", before: [[1, 2, 3]], after: [[2, 3, -1]],
      events: [.move(from: [0, 0], to: [0, 2]), .update(at: [0, 0])], reported: "[; 0: [~2, 0→2]]"),
    ResultsRecording(
      testDescription: "a move to the same place is an update", before: [[1, 2]], after: [[1, -2]],
      events: [.move(from: [0, 1], to: [0, 1])], reported: "[; 0: [~1]]"),
    ResultsRecording(
      testDescription: "an object moves to another section", before: [[1, 2], [3]], after: [[2], [-1, 3]],
      events: [.move(from: [0, 0], to: [1, 0])], reported: "[; 0: [-0]; 1: [+0]] {[0, 0]→[1, 0]: ~[]}"),
    ResultsRecording(
      testDescription: "a section is deleted, and its objects move elsewhere", before: [[1], [2, 3], [4]],
      after: [[1, -2], [-3, 4]],
      events: [
        .move(from: [1, 0], to: [0, 1]), .deleteSection(1), .move(from: [1, 1], to: [1, 0]),
      ],
      reported: "[-1; 0: [+1]; 1: [+0]] {[1, 0]→[0, 1]: ~[], [1, 1]→[1, 0]: ~[]}", names: ("abc", "ac")),
    ResultsRecording(
      testDescription: "a section is inserted, and objects move in", before: [[1, 2], [3]],
      after: [[2], [-1, -3], []],
      events: [
        .insertSection(1), .move(from: [0, 0], to: [1, 0]), .move(from: [1, 0], to: [1, 1]),
      ],
      reported: "[+1; 0: [-0]; 2: [-0]] {[0, 0]→[1, 0]: ~[], [1, 0]→[1, 1]: ~[]}", names: ("ac", "abc")),
    ResultsRecording(
      testDescription: "several come in one place", before: [[1, 2]], after: [[1, 7, 8, 9, 2]],
      events: [.insert(at: [0, 3]), .insert(at: [0, 1]), .insert(at: [0, 2])], reported: "[; 0: [+1..<4]]"),
    ResultsRecording(
      testDescription: "several sections come in one place", before: [[1]], after: [[2], [3], [1]],
      events: [.insertSection(1), .insertSection(0), .insert(at: [1, 0]), .insert(at: [0, 0])], reported: "[+0..<2]",
      names: ("c", "abc")),
    ResultsRecording(
      testDescription: "a neighbour is updated, and one deleted", before: [[1, 2, 3, 4]], after: [[1, -3, 4]],
      events: [.update(at: [0, 2]), .delete(at: [0, 1])], reported: "[; 0: [-1, ~1]]"),
    ResultsRecording(
      testDescription: "what is deleted was updated too", before: [[1, 2]], after: [[2]],
      events: [.update(at: [0, 0]), .delete(at: [0, 0])], reported: "[; 0: [-0]]"),
    ResultsRecording(
      testDescription: "a section comes while the rows of others change", before: [[1, 2], [3]],
      after: [[2], [5], [-3, 6]],
      events: [
        .insertSection(1), .insert(at: [1, 0]), .delete(at: [0, 0]), .update(at: [1, 0]), .insert(at: [2, 1]),
      ],
      reported: "[+1; 0: [-0]; 2: [+1, ~0]]", names: ("ac", "abc")),
    ResultsRecording(
      testDescription: "the objects of a section that comes or leaves need not be told", before: [[1], [2]],
      after: [[1], [3, 4]], events: [.deleteSection(1), .insertSection(1)], reported: "[-1, +1]", names: ("ab", "ac")),
    ResultsRecording(
      testDescription: "two objects change places", before: [[1, 2, 3]], after: [[-3, 2, -1]],
      events: [.move(from: [0, 0], to: [0, 2]), .move(from: [0, 2], to: [0, 0])],
      reported: "[; 0: [~0, ~2, 1→1, 0→2]]"),
  ]
}
