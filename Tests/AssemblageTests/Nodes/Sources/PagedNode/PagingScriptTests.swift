@_spi(NodeAuthors) @testable import Assemblage
import AssemblageTesting
import Foundation
import TestSupport
import Testing

/// Random scripts of reads, answers in any order, failures, and the owners' edits in between.
@MainActor @Suite struct PagingScriptTests {
  private enum Step: CaseIterable {
    case read, scan, answer, short, empty, wrong, fail, stale, reload, retry, load, visible, screen, count, reset
    /// Results of other steps.
    case forget, drop, exact
  }

  @MainActor private final class Script {
    let server = PageServer()
    let model: PagedModel
    let node: PagedNode<Int>
    /// The contents of each row, according to the reported changes.
    private var copy: [String] = []
    private var shown: MapNode<PagedRow<Int>, String>
    private var token: NodeObservation?
    var generator: SeededGenerator
    private var version = 0
    private(set) var becameExact = 0

    init(_ generator: SeededGenerator) {
      var generator = generator
      let count = Int.random(in: 1...60, using: &generator)
      let isExact = generator.chance(1, in: 2)
      model = PagedModel(
        count: count, isExact: isExact, size: Int.random(in: 1...9, using: &generator),
        keeping: Int.random(in: 1...6, using: &generator), limit: Int.random(in: 1...4, using: &generator))
      node = server.node(
        isExact ? .exact(count) : .estimated(count), pageSize: model.size, keeping: model.keeping, atMost: model.limit)
      // A view in between. It is read without loading pages.
      shown = MapNode(node) { $0.word }
      self.generator = generator
      copy = Array(repeating: "…", count: count)
      token = shown.observe { [unowned self] change in
        replay(change)
        for position in model.screen.clamped(to: 0..<node.count) { _ = shown.element(at: position) }
      }
    }

    func end() {
      token?.cancel()
      server.close()
    }

    private func replay(_ change: ChangeSet) {
      let delta = change.delta
      for range in delta.removals.reversed() { copy.removeSubrange(range) }
      for range in delta.insertions { copy.insert(contentsOf: range.map { _ in "?" }, at: range.lowerBound) }
      for range in Array(delta.insertions) + Array(delta.updates) {
        for position in range { copy[position] = node.peek(at: position)?.word ?? "nothing" }
      }
    }

    private func randomRange(_ count: Int) -> Range<Int> {
      let start = Int.random(in: 0...count, using: &generator)
      return start..<Swift.min(count, start + Int.random(in: 0...20, using: &generator))
    }

    private func randomCount() -> (Int, Bool) {
      let count =
        generator.chance(1, in: 2)
        ? Int.random(in: 0...60, using: &generator)
        : Swift.max(0, model.count + Int.random(in: -5...5, using: &generator))
      return (count, generator.chance(1, in: 2))
    }

    func step(_ step: Step) -> Bool {
      switch step {
      case .read:
        guard model.count > 0 else { return false }
        for _ in 0..<Int.random(in: 1...3, using: &generator) {
          let position = Int.random(in: 0..<model.count, using: &generator)
          model.look(position)
          _ = node.element(at: position)
        }
      case .scan:
        let range = randomRange(model.count)
        for position in range { model.look(position) }
        var seen = range.lowerBound
        node.forEachSpan(in: range) { start, span in
          precondition(start == seen)
          seen += span.count
        }
        precondition(seen == range.upperBound)
      case .answer, .short, .empty, .wrong, .fail: return answer(step)
      case .stale:
        let cancelled = server.cancelled
        guard let request = server.requests.filter({ cancelled.contains($0.number) }).randomElement(using: &generator)
        else { return false }
        model.zombies -= 1
        server.answer(request.number, .success(request.range.map { _ in -1 }))
      case .reload:
        let range = generator.chance(1, in: 2) ? nil : randomRange(model.count)
        if model.invalidate(node.supply.table.pages(of: range ?? 0..<model.count)) { model.reported() }
        node.reload(range)
      case .retry:
        let failed = model.states.filter { $0.value == .failed }.keys.sorted()
        guard let page = failed.randomElement(using: &generator) else { return false }
        if generator.chance(1, in: 2) {
          model.load(failed)
          node.retry()
        } else {
          model.load([page])
          node.retry(at: page * model.size)
        }
      case .load:
        let range = randomRange(model.count)
        model.load(model.pages.filter { model.positions($0).overlaps(range) })
        node.load(range)
      case .visible:
        let range = generator.chance(1, in: 4) ? nil : randomRange(model.count + 5)
        model.setVisible(range)
        node.visibleRange = range
      case .screen: model.screen = generator.chance(1, in: 3) ? 0..<0 : randomRange(60)
      case .count:
        let (count, isExact) = randomCount()
        model.setCount(count, isExact: isExact)
        node.setCount(isExact ? .exact(count) : .estimated(count))
      case .reset:
        let (count, isExact) = randomCount()
        model.reset(count, isExact: isExact)
        node.reset(count: isExact ? .exact(count) : .estimated(count))
      case .forget, .drop, .exact: return false
      }
      return true
    }

    private func answer(_ step: Step) -> Bool {
      guard let request = server.current.randomElement(using: &generator) else { return false }
      let page = request.range.lowerBound / model.size
      version += 1
      var rows = request.range.map { $0 * 1_000 + version % 1_000 }
      switch step {
      case .short:
        if rows.count < 2 { return false }
        rows.removeLast(Int.random(in: 1..<rows.count, using: &generator))
      case .empty: rows = []
      case .wrong: rows.append(0)
      default: break
      }
      let wasExact = model.isExact
      model.take(step == .fail ? nil : rows, page: page)
      if model.isExact, !wasExact { becameExact += 1 }
      server.answer(request.number, step == .fail ? .failure(PageServer.Failure()) : .success(rows))
      return true
    }

    /// Waits until as many requests as possible have begun, and compares everything.
    func settle() async throws {
      model.advance()
      let deadline = ContinuousClock.now + .seconds(600)
      while let difference = difference() {
        try #require(ContinuousClock.now < deadline, "\(difference)")
        await Task.yield()
      }
      node.supply.table.checkInvariants()
      try #require(server.mostAtOnce <= model.limit)
      try #require(node.loadedCount == model.rows.count)
    }

    /// Returns a difference from the model, or nil.
    private func difference() -> String? {
      if node.count != model.count || node.isCountExact != model.isExact {
        return "there are \(node.count), and not \(model.count)"
      }
      let rows = (0..<node.count).map { node.peek(at: $0)!.word }
      let wanted = (0..<node.count).map { model.word($0) }
      if rows != wanted { return "\(rows) and not \(wanted)" }
      if copy != rows { return "\(copy) was told, and not \(rows)" }
      for page in model.pages {
        let (word, wanted) = (node.loadState(at: page * model.size)?.word, model.loadWord(page))
        if word != wanted { return "page \(page) is \(word ?? "nothing"), and not \(wanted)" }
      }
      let running = server.current.map(\.range)
      let expected = model.running.sorted().map(model.request)
      if running.sorted(by: { $0.lowerBound < $1.lowerBound }) != expected {
        return "\(running) are fetched, and not \(expected)"
      }
      let open = server.requests.count
      return open == expected.count + model.zombies ? nil : "\(open) are open, \(model.zombies) of them of no use"
    }
  }

  @Test func randomScripts() async throws {
    var tally = OperationTally<Step>()
    for iteration in 0..<TestSeed.iterations(75) {
      let script = Script(TestSeed.generator("paging", iteration: iteration))
      for _ in 0..<TestSeed.length(120) {
        // Answers and reads are more frequent than other steps.
        let often: Step = script.generator.chance(1, in: 2) ? .answer : .read
        let step = script.generator.chance(1, in: 2) ? often : tally.random(using: &script.generator)
        guard script.step(step) else { continue }
        tally.count(step)
        try await script.settle()
      }
      tally.count(.forget, times: script.model.forgottenCount)
      tally.count(.drop, times: script.model.droppedCount)
      tally.count(.exact, times: script.becameExact)
      script.end()
    }
    try tally.check()
  }
}
