/// Describes the last load of a branch whose children are loaded asynchronously.
///
/// ```swift
/// switch folder.loadState {
/// case .unloaded: break                         // nothing has been asked for, or it was cancelled
/// case .loading: cell.showSpinner()             // for the first time, or again
/// case .failed(let error): cell.show(error)     // the former children are still there
/// case .loaded: break
/// }
/// ```
///
/// The state describes the last load that was asked for. During this load, and after its failure, the branch may have
/// children of an earlier load: `isLoaded` says so.
public enum LoadState: Sendable {
  /// No load has been asked for, or all loads were cancelled.
  case unloaded

  /// A load waits for its turn, or is under way.
  case loading

  /// The last load failed.
  case failed(any Error)

  /// The branch has the children of the last load.
  case loaded

  /// Whether a load waits for its turn, or is under way.
  public var isLoading: Bool {
    if case .loading = self { return true }
    return false
  }

  /// Why the last load failed; nil where it did not.
  public var error: (any Error)? {
    if case .failed(let error) = self { return error }
    return nil
  }
}
