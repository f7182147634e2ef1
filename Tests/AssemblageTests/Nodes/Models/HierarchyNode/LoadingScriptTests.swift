@testable import Assemblage
import AssemblageTesting
import Foundation
import TestSupport
import Testing

/// Random scripts of requests, answers in any order, failures, and the users' edits in between.
@MainActor @Suite struct LoadingScriptTests {
  private enum Step: CaseIterable {
    case answer, stale, fail, reload, reloadAll, retry, load, cancel, toggle
    /// The expansion of a branch that begins loads below it anew.
    case resume
  }

  @MainActor private final class Script {
    let source = ScriptedSource()
    let limit: Int
    let policy: HierarchyNode<RemoteEntry>.CollapsePolicy
    let tree: HierarchyNode<RemoteEntry>
    let model = LoadingModel("/")
    let outline: OutlineNode<RemoteEntry, String>?
    let shadow: ShadowTree<RemoteEntry>
    var generator: SeededGenerator
    var token: NodeObservation?
    /// The number of times that the expansion of a branch above began loads anew.
    private(set) var resumeCount = 0
    /// The branches of which a change was reported, and the former load states of all branches.
    private var reported: Set<String> = []
    private var words: [String: String] = [:]

    init(_ generator: SeededGenerator) {
      var generator = generator
      limit = Int.random(in: 1...4, using: &generator)
      policy = generator.chance(1, in: 3) ? .keepLoading : .cancelLoads
      tree = source.tree(atMost: limit, whenCollapsed: policy)
      outline = generator.chance(2, in: 3) ? OutlineNode(tree, id: \.name) : nil
      shadow = ShadowTree(of: outline ?? tree as any TreeNode<RemoteEntry>, id: \.name)
      self.generator = generator
      words = ["/": "unloaded"]
      token = tree.observe { [unowned self] change in
        for path in change.paths.updates {
          reported.insert(path.isEmpty ? "/" : tree.element(at: path)?.name ?? "")
        }
      }
    }

    func end() {
      token?.cancel()
      shadow.cancel()
      source.close()
    }

    func node(_ name: String) -> HierarchyNode<RemoteEntry>? {
      func find(_ node: HierarchyNode<RemoteEntry>) -> HierarchyNode<RemoteEntry>? {
        if node.value?.name == name { return node }
        guard node.isLoaded else { return nil }
        return (0..<node.count).lazy.compactMap { position in
          name.hasPrefix(node.element(at: position)!.name)
            ? (node.child(at: position) as? HierarchyNode<RemoteEntry>).flatMap(find) : nil
        }.first
      }
      return find(tree)
    }

    func randomBranch() -> LoadingModel { model.all.randomElement(using: &generator)! }

    /// Returns some children, often the former ones.
    func entries(of name: String) -> [RemoteEntry] {
      let former = model.all.first { $0.name == name }?.entries ?? []
      let stem = name == "/" ? "" : name
      return (0..<6).shuffled(using: &generator).prefix(Int.random(in: 1...6, using: &generator)).map { number in
        let name = "\(stem)\(number)"
        let former = former.first { $0.name == name }
        return RemoteEntry(
          name: name,
          isFolder: name.count < 4
            && (former?.isFolder ?? generator.chance(2, in: 3)) != generator.chance(1, in: 10),
          version: (former?.version ?? 0) + (generator.chance(1, in: 3) ? 1 : 0))
      }
    }

    func step(_ step: Step) -> Bool {
      // If no request is open, the step is at the root.
      let branch = source.requests.isEmpty ? model : randomBranch()
      guard let node = node(branch.name) else { return false }
      switch step {
      case .answer, .stale, .fail:
        guard let request = source.requests.randomElement(using: &generator) else { return false }
        let asker = model.all.first { $0.load == .running(request.number) }
        if (step == .stale) != (asker == nil) { return false }
        let entries = entries(of: request.name)
        asker?.take(step == .fail ? nil : entries)
        source.answer(request.number, step == .fail ? .failure(ScriptedSource.Failure()) : .success(entries))
      case .reload:
        branch.reload(below: false)
        node.reload(.children)
      case .reloadAll:
        branch.reload(below: true)
        node.reload()
      case .retry:
        if branch.settled != .failed { return false }
        branch.retry()
        node.retry()
      case .load:
        branch.loadNow()
        node.load()
      case .cancel:
        if branch.load == nil { return false }
        branch.cancel()
        node.cancelLoad()
      case .toggle: return toggle()
      case .resume: return resume()
      }
      return true
    }

    private func toggle() -> Bool {
      guard let outline, outline.count > 0 else { return false }
      // Mostly a row near the top, because such a row has others below it.
      return toggle(Int.random(in: 0...Int.random(in: 0..<outline.count, using: &generator), using: &generator))
    }

    /// Collapses and expands a branch below which something is loaded.
    private func resume() -> Bool {
      guard let outline else { return false }
      let row = outline.elements.indices.first { row in
        let branch = model.all.first { $0.name == outline.elements[row].name }
        return outline.row(at: row).isExpanded && branch?.all.dropFirst().contains { $0.load != nil } == true
      }
      return row.map { toggle($0) && toggle($0) } ?? false
    }

    private func toggle(_ row: Int) -> Bool {
      guard let outline else { return false }
      guard let name = outline.element(at: row)?.name, let branch = model.all.first(where: { $0.name == name }) else {
        return false
      }
      if outline.row(at: row).isExpanded {
        if policy == .cancelLoads { branch.collapse() }
      } else {
        if branch.expand(resumes: policy == .cancelLoads) { resumeCount += 1 }
      }
      outline.toggle(row: row)
      return true
    }

    /// Waits until as many requests as possible have begun, and compares everything.
    func settle() async throws {
      // Not `eventually`: its pauses would wait for a thread of the pool, thousands of times. Everything that is
      // awaited here happens on the main actor.
      let deadline = ContinuousClock.now + .seconds(600)
      while let difference = follow() {
        try #require(ContinuousClock.now < deadline, "\(difference)")
        await Task.yield()
      }
      reported = []
      words = Dictionary(uniqueKeysWithValues: model.all.map { ($0.name, $0.word) })
      try shadow.check()
      try #require(source.mostAtOnce <= limit)
      if let outline {
        var rows: [RemoteEntry] = []
        func visit(_ branch: LoadingModel) {
          for entry in branch.entries {
            rows.append(entry)
            if let child = branch.branches[entry.name], outline.expansion.choice(for: entry.name) == true {
              visit(child)
            }
          }
        }
        visit(model)
        try #require(outline.elements == rows)
      }
    }

    /// Returns a difference from the model, or nil.
    private func follow() -> String? {
      look()
      for request in source.requests where !source.cancelled.contains(request.number) {
        let asker = model.all.first { $0.name == request.name }
        guard let asker else { return "\(request.name) is loaded, and is not there" }
        asker.run(request.number)
      }
      let waiting = model.all.count { $0.load == .waiting }
      if waiting > 0, source.requests.count < limit { return "\(waiting) wait, and \(source.names) are loaded" }
      for branch in model.all {
        guard let node = node(branch.name) else { return "there is no \(branch.name)" }
        if node.loadState.word != branch.word {
          return "\(branch.name) is \(node.loadState.word) and not \(branch.word)"
        }
        if node.isLoaded != branch.isLoaded { return "\(branch.name) is loaded: \(node.isLoaded)" }
        if node.isLoaded, node.elements != branch.entries { return "\(branch.name) has \(node.elements)" }
        if let former = words[branch.name], former != branch.word, !reported.contains(branch.name) {
          return "\(branch.name) did not say that it is \(branch.word), and not \(former)"
        }
      }
      return nil
    }

    /// Lets the model read the same branches as a shadow or an outline.
    private func look() {
      guard let outline else {
        for branch in model.all { branch.look() }
        return
      }
      func visit(_ branch: LoadingModel) {
        branch.look()
        for entry in branch.entries {
          guard let child = branch.branches[entry.name] else { continue }
          if outline.expansion.choice(for: entry.name) == true { visit(child) }
        }
      }
      visit(model)
      // An outline still follows the branches that it hides.
      for branch in model.all where node(branch.name)?.loadState.isLoading == true { branch.look() }
    }
  }

  @Test func randomScripts() async throws {
    var tally = OperationTally<Step>()
    for iteration in 0..<TestSeed.iterations(25) {
      let script = Script(TestSeed.generator("loading", iteration: iteration))
      try await script.settle()
      for _ in 0..<TestSeed.length(60) {
        // Several steps at once. Loads that they begin wait until the steps are over, and so does the processing of an
        // answer.
        for _ in 0..<Int.random(in: 1...2, using: &script.generator) {
          // Answers and clicks are more frequent than other steps.
          let often: Step = script.generator.chance(1, in: 2) ? .answer : .toggle
          let step = script.generator.chance(1, in: 2) ? often : tally.random(using: &script.generator)
          guard script.step(step) else { continue }
          tally.count(step == .resume ? .toggle : step)
          if step == .answer || step == .fail { break }
        }
        try await script.settle()
      }
      tally.count(.resume, times: script.resumeCount)
      script.end()
    }
    try tally.check()
  }
}
