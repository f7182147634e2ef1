import Assemblage
import AssemblageTerminal

/// A source that can be browsed: directories, a list of paths, a JSON document.
///
/// The source reads while it is shown, and reports changes of the contents.
@MainActor
protocol BrowseSource: AnyObject {
  /// The nodes, and the look of their items.
  var contents: TerminalContents<Item, Item> { get }

  /// Is called when the shown contents change.
  var onChange: () -> Void { get set }

  /// Begins to read.
  func start()

  /// Ends all reading.
  func stop()

  /// Reads again everything that was read so far, and reports this by the progress of `contents`.
  ///
  /// - Returns: whether the source can be read again.
  func reload() -> Bool

  /// Receives the items of the rows on the screen, and the items of the expanded rows.
  func watch(_ visible: [Item], expanded: [Item])

  /// Returns the bytes of an item that are printed or copied.
  func output(_ item: Item, _ part: TerminalAction<Item>.Part) -> [UInt8]

  /// Returns the file of an item, for an editor; nil if there is none.
  func file(_ item: Item) -> [UInt8]?

  /// The reason why the source cannot be shown; nil without a failure.
  var failure: Command.Failure? { get }
}
