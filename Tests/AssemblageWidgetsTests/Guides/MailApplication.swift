import Assemblage
import AssemblageTesting
import AssemblageWidgets
import Foundation

/// A message, which may answer another one.
struct Message: Equatable, Sendable {
  let id: Int
  /// The id of the message that this one answers.
  var parent: Int?
  var sender: String
  var text: String
  var date: Date
  var isUnread = true

  /// Whether a search for a text in lower case finds the message.
  func matches(_ search: String) -> Bool {
    search.isEmpty || text.lowercased().contains(search) || sender.lowercased().contains(search)
  }
}

/// Opens messages: a message that was opened is no longer unread.
struct OpeningBehavior: ActivationBehavior {
  let messages: ArrayNode<Message>

  func activate(at place: NodePlace) {
    messages.update(at: place.position) { $0.isUnread = false }
  }
}

/// A list of threads, the latest first, with an unread filter and a search in the background.
@MainActor final class MailApplication {
  /// All messages, in the order of their arrival.
  let messages = ArrayNode<Message>()
  /// The widget.
  let table = WidgetModel<Message>(.list)
  /// The user's actions on rows go through the coordinator.
  let coordinator: ListCoordinator<Message>
  /// The present search, for a caller that waits for its end.
  private(set) var searching: Task<Void, Never>?

  private let threads: NestNode<Message, Int>
  private let found: TreeFilterNode<Message>
  private let outline: OutlineNode<Message, Int>

  init(_ messages: [Message]) {
    let byDate = SortNode(self.messages, by: \.date)
    threads = NestNode(byDate, id: \.id, parent: \.parent)
    let latest = AggregateIndex(of: threads, .maximum(\.date))
    let latestFirst = SortNode(threads, by: latest, order: .reverse)
    found = TreeFilterNode(latestFirst) { _ in true }
    outline = OutlineNode(found, id: \.id)
    coordinator = ListCoordinator(outline)
    coordinator.addBehavior(OpeningBehavior(messages: self.messages), to: self.messages)
    coordinator.keepSelection(id: \.id)
    receive(messages)
    table.follow(coordinator)
  }

  // MARK: Messages

  /// Messages have arrived.
  func receive(_ arrived: [Message]) { messages.append(contentsOf: arrived) }

  /// The user puts the whole thread of a row away.
  func archive(row: Int) {
    let first = found.element(at: outline.path(ofRow: row)[0])
    guard let first, let path = threads.path(ofID: first.id) else { return }
    let replies = threads.child(at: path).map { DescendantsNode($0).elements } ?? []
    let ids = Set(([first] + replies).map(\.id))
    messages.removeAll { ids.contains($0.id) }
  }

  // MARK: Filters

  /// The text of the search field, which is set at every key press.
  var search = "" { didSet { startSearch() } }

  /// Whether only unread messages are shown, and the messages that they answer.
  var showsOnlyUnread = false { didSet { startSearch() } }

  private func startSearch() {
    let (text, onlyUnread) = (search.lowercased(), showsOnlyUnread)
    searching = Task {
      do {
        try await found.setPredicate(inBackground: .concurrently) { message in
          message.matches(text) && (message.isUnread || !onlyUnread)
        }
      } catch { return }
      if text.isEmpty && !onlyUnread { outline.endTemporaryExpansion() } else { outline.beginTemporaryExpansion() }
    }
  }

  // MARK: Rows

  /// The user expands or collapses a thread.
  func toggle(row: Int) { outline.toggle(row: row) }

  /// The table as text: a star for a selected row, a triangle for a thread, a dot for an unread message.
  var lines: [String] {
    let selection = Set(table.selectedPaths)
    return table.paths.compactMap { path in
      coordinator.nodePath(of: path)?.first.map { line(ofRow: $0, isSelected: selection.contains(path)) }
    }
  }

  private func line(ofRow position: Int, isSelected: Bool) -> String {
    let row = outline.row(at: position)
    guard let message = row.value else { return "" }
    let triangle = row.hasChildren ? (row.isExpanded ? "▾ " : "▸ ") : ""
    return String(repeating: "  ", count: row.depth) + (isSelected ? "* " : "") + triangle
      + (message.isUnread ? "• " : "") + "\(message.sender): \(message.text)"
  }
}
