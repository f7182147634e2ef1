import Observation
import Synchronization

/// Shows a list as SwiftUI does.
///
/// It is as hostile as SwiftUI is known to be. It only notes that a body has read a value that has changed, and
/// evaluates the body later. Until then it goes on to read the collection of the last update, of which it keeps a copy.
/// Where the collection of the new update has the same bytes as the last one, it treats the two as the same, and
/// updates nothing.
@MainActor public final class ListHost<Rows: DynamicViewContent> {
  private let body: () -> Rows
  private var shown: Rows?
  private let news = News()
  public private(set) var lines: [String] = []
  /// How often the body was evaluated.
  public private(set) var evaluationCount = 0

  public init(_ body: @escaping () -> Rows) {
    self.body = body
    update()
  }

  /// How often it was notified.
  public var notificationCount: Int { news.state.withLock { $0.count } }

  /// The animation of the last notification.
  public var animation: Animation? { news.state.withLock { $0.animation } }

  /// The view of the last update, on which the user acts.
  public var view: Rows { shown! }

  /// Does the same as SwiftUI before the next frame.
  public func update() {
    if let shown { readAll(shown.data) }
    guard news.state.withLock({ $0.isStale }) else { return }
    news.state.withLock { $0.isStale = false }
    evaluationCount += 1
    let next = withObservationTracking(body) { [news] in
      let animation = Animation.current
      news.state.withLock { $0 = (true, $0.count + 1, animation) }
    }
    if let shown, bytes(of: shown.data) == bytes(of: next.data) { return }
    shown = next
    lines = SwiftUIStub.lines(of: next)
  }

  private func readAll(_ data: Rows.Data) { for index in data.indices { _ = data[index] } }

  private func bytes(of data: Rows.Data) -> [UInt8] { unsafe withUnsafeBytes(of: data) { unsafe Array($0) } }
}

/// The notifications of a host.
private final class News: Sendable {
  let state = Mutex<(isStale: Bool, count: Int, animation: Animation?)>((true, 0, nil))
}

/// The lines of a view.
@MainActor public func drawing(of view: some View) -> [String] { lines(of: view) }
