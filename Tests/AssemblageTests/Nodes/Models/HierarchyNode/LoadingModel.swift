/// A simple model of a tree that is loaded: the contents and the load state of each branch.
final class LoadingModel {
  enum Settled: String { case never, cancelled, failed, done }

  enum Load: Equatable {
    case waiting
    /// The number of the request.
    case running(Int)
  }

  var name: String
  var entries: [RemoteEntry] = []
  var branches: [String: LoadingModel] = [:]
  var settled = Settled.never
  var isLoaded = false
  var load: Load? {
    didSet {
      if case .running(let number) = oldValue { newest = max(newest, number) }
    }
  }
  /// The newest request whose answer is not wanted any more.
  private var newest = -1
  var suspender: String?

  init(_ name: String) { self.name = name }

  var word: String {
    if load != nil { return "loading" }
    return switch settled {
    case .never, .cancelled: "unloaded"
    case .failed: "failed"
    case .done: "loaded"
    }
  }

  /// The branch and all branches below it, parents first.
  var all: [LoadingModel] { [self] + entries.flatMap { branches[$0.name]?.all ?? [] } }

  /// Notes that a request has been made.
  func run(_ number: Int) {
    if load == .waiting, number > newest { load = .running(number) }
  }

  func look() {
    if load == nil, settled == .never { load = .waiting }
  }

  func begin() {
    suspender = nil
    load = .waiting
  }

  func loadNow() {
    if load == nil, !isLoaded { begin() }
  }

  func retry() {
    if load == nil, settled == .failed { begin() }
  }

  func cancel() {
    guard load != nil else { return }
    load = nil
    if settled == .never { settled = .cancelled }
  }

  func reload(below: Bool) {
    for branch in below ? all : [self] {
      if branch.load != nil {
        branch.load = .waiting
      } else if branch.settled == .failed || branch.settled == .done {
        branch.begin()
      }
    }
  }

  func collapse() {
    for branch in all where branch.load != nil {
      branch.cancel()
      branch.suspender = name
    }
  }

  /// - Returns: whether loads below begin anew.
  func expand(resumes: Bool) -> Bool {
    loadNow()
    look()
    guard resumes else { return false }
    let suspended = all.filter { $0.suspender == name && $0.load == nil }
    for branch in suspended { branch.begin() }
    return !suspended.isEmpty
  }

  func take(_ answer: [RemoteEntry]?) {
    load = nil
    guard let answer else {
      settled = .failed
      return
    }
    settled = .done
    isLoaded = true
    let former = Dictionary(uniqueKeysWithValues: entries.map { ($0.name, $0) })
    entries = answer
    var kept: [String: LoadingModel] = [:]
    for entry in answer where entry.isFolder {
      kept[entry.name] = branches[entry.name] ?? LoadingModel(entry.name)
      // Another value may have other children.
      if former[entry.name] != nil, former[entry.name] != entry, kept[entry.name]!.load != nil {
        kept[entry.name]!.load = .waiting
      }
    }
    branches = kept
  }
}
