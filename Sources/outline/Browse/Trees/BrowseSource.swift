import Assemblage
import AssemblageTerminal

/// What can be browsed: directories, a list of paths, a JSON document.
///
/// It reads while it is shown, and says when something else is to be seen.
@MainActor
protocol BrowseSource: AnyObject {
  /// The nodes, and what their items look like.
  var contents: TerminalContents<Item, Item> { get }

  /// Told when something else is to be seen.
  var onChange: () -> Void { get set }

  /// Begins to read.
  func start()

  /// Ends all reading.
  func stop()

  /// Reads again what has been read, and says so by the contents' progress.
  ///
  /// - Returns: whether it can be read again.
  func reload() -> Bool

  /// Told what is on the screen: the rows' items, and those that are expanded.
  func watch(_ visible: [Item], expanded: [Item])

  /// What is printed or copied of an item.
  func output(_ item: Item, _ part: TerminalAction<Item>.Part) -> [UInt8]

  /// The file of an item, for an editor; nil where there is none.
  func file(_ item: Item) -> [UInt8]?

  /// Why nothing can be shown; nil where something can.
  var failure: Command.Failure? { get }
}
