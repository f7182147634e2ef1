/// How far a branch of a tree has come whose children are fetched from afar.
///
/// ```swift
/// switch folder.loadState {
/// case .unloaded: break                         // nothing has been asked for, or it was cancelled
/// case .loading: cell.showSpinner()             // for the first time, or again
/// case .failed(let error): cell.show(error)     // what was there before is still there
/// case .loaded: break
/// }
/// ```
///
/// It is about the last load that was asked for. Whether there are children of an earlier one meanwhile, or after a failure, is
/// what `isLoaded` says.
public enum LoadState: Sendable {
  /// Nothing has been asked for, or all that was asked for was cancelled.
  case unloaded

  /// A load waits for its turn, or is under way.
  case loading

  /// The last load failed.
  case failed(any Error)

  /// The children are those of the last load.
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
