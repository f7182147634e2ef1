import Assemblage
import AssemblageTerminal
import Foundation

/// Shows a source on a terminal until a user has chosen entries, or ends the program.
@MainActor
final class Browser {
  /// The way in which the program ended.
  enum Ending {
    case quit, interrupted, hungUp
    case chosen([UInt8])
    case failed(Command.Failure)
  }

  private let source: any BrowseSource
  private let device: TerminalDevice
  private let outline: TerminalOutline<Item, Item>
  private let environment: [String: String]
  private var encoder: TerminalEncoder
  private var input = TerminalInput()
  private var ending: CheckedContinuation<Ending, Never>?
  private var isDrawingScheduled = false
  private var hasChanged = false
  private var byteCount = 0
  private var sortedAt = ContinuousClock.now

  /// The time for which a change without a key waits for other changes before all are drawn.
  private static let drawingDelay = DispatchTimeInterval.milliseconds(40)
  /// The time for which an escape waits for the rest of a key's sequence.
  private static let escapeDelay = DispatchTimeInterval.milliseconds(40)

  init(
    _ source: any BrowseSource, device: TerminalDevice, hiding: TerminalHiding, environment: [String: String],
    isSeparatedByNull: Bool = false, header: String = "", prompt: String? = nil, bindings: [TerminalBinding] = []
  ) {
    self.source = source
    self.device = device
    self.environment = environment
    separator = isSeparatedByNull ? 0 : 0x0A
    var contents = source.contents
    (contents.header, contents.prompt) = (header.printed, prompt?.printed)
    contents.bindings = bindings
    outline = TerminalOutline(contents, size: device.size, hiding: hiding)
    encoder = TerminalEncoder(depth: TerminalDevice.colorDepth(environment), isInline: device.height != nil)
  }

  /// The byte behind each path that is printed.
  private let separator: UInt8

  /// Runs until the end.
  ///
  /// - Parameters:
  ///   - text: the text of the first search; nil for no search.
  ///   - keys: the keys that are handled at first, as if a user had pressed them.
  ///   - choosesOnlyMatch: whether the only match of the first search is chosen, and nothing is shown.
  /// - Returns: the way in which the program ended.
  func run(search text: String?, keys: [TerminalKey], choosesOnlyMatch: Bool = false) async -> Ending {
    if choosesOnlyMatch, let text {
      source.start()
      if let ending = await onlyMatch(text) { return ending }
    }
    device.enter()
    outline.needsDrawing = { [weak self] in
      if self?.ending != nil { self?.draw() }
    }
    source.onChange = { [weak self] in self?.drawSoon() }
    device.onBytes = { [weak self] in self?.take($0) }
    device.onSignal = { [weak self] in self?.take(signal: $0) }
    for key in keys { _ = outline.handle(.key(key)) }
    if let text { outline.search(for: text) }
    // The source reads when the first screen is drawn, so that the screen does not say that there is nothing.
    if !choosesOnlyMatch { source.start() }
    draw()
    let ending = await withCheckedContinuation { self.ending = $0 }
    source.stop()
    device.close()
    return ending
  }

  /// Reads everything, and searches.
  ///
  /// - Returns: the choice of the only match, or the failure of the source; nil if a user has to choose.
  private func onlyMatch(_ text: String) async -> Ending? {
    while source.failure == nil, source.contents.progress() != nil { try? await Task.sleep(for: .milliseconds(10)) }
    if let failure = source.failure { return .failed(failure) }
    outline.search(for: text)
    await outline.searchEnd()
    guard source.contents.filter.matchCount == 1, outline.isMatch(row: outline.cursor),
      let item = outline.element(at: outline.cursor)
    else { return nil }
    source.stop()
    return .chosen(source.output(item, .path) + [separator])
  }

  private func end(_ how: Ending) {
    ending?.resume(returning: how)
    ending = nil
  }

  // MARK: Drawing

  private func draw() {
    device.write(encoder.encode(outline.draw()))
    let rows = source.contents.rows.rows(in: outline.visibleRows)
    source.watch(rows.compactMap(\.value), expanded: rows.compactMap { $0.isExpanded ? $0.value : nil })
  }

  private func drawSoon() {
    if let failure = source.failure { return end(.failed(failure)) }
    if isDrawingScheduled { return }
    isDrawingScheduled = true
    // The first change brings the first rows, which are drawn at once.
    let delay = hasChanged ? Self.drawingDelay : .nanoseconds(0)
    hasChanged = true
    DispatchQueue.main.asyncAfter(deadline: .now() + delay) { [weak self] in
      MainActor.assumeIsolated { self?.drawNow() }
    }
  }

  private func drawNow() {
    isDrawingScheduled = false
    guard ending != nil else { return }
    // Sizes change while directories are read: rows are sorted again twice a second, and at the end.
    if ContinuousClock.now - sortedAt > .milliseconds(500) || source.contents.progress() == nil {
      outline.refreshOrder()
      sortedAt = .now
    }
    outline.followMatches()
    draw()
  }

  // MARK: Events

  private func take(_ bytes: [UInt8]) {
    if bytes.isEmpty { return end(.hungUp) }
    byteCount += bytes.count
    handle(input.read(bytes))
    guard input.isPending else { return }
    let count = byteCount
    DispatchQueue.main.asyncAfter(deadline: .now() + Self.escapeDelay) { [weak self] in
      MainActor.assumeIsolated {
        guard let self, self.byteCount == count else { return }
        self.handle(self.input.flush())
      }
    }
  }

  private func handle(_ events: [TerminalEvent]) {
    for event in events {
      guard ending != nil else { return }
      if let action = outline.handle(event) { perform(action) }
    }
    if ending != nil { draw() }
  }

  private func take(signal: Int32) {
    guard ending != nil else { return }
    switch signal {
    case SIGTSTP: suspend()
    case SIGCONT:
      device.enter()
      redraw()
    default: redraw(isNew: false)
    }
  }

  private func redraw(isNew: Bool = true) {
    if isNew { encoder.invalidate() }
    _ = outline.handle(.resize(device.size))
    draw()
  }

  private func suspend() {
    device.stop()
    redraw()
  }

  private func perform(_ action: TerminalAction<Item>) {
    switch action {
    case .quit: end(.quit)
    case .interrupt: end(.interrupted)
    case .choose(let items, let part):
      end(.chosen(items.flatMap { source.output($0, part) + [separator] }))
    case .copy(let items, let part): copy(items, part)
    case .edit(let items): open(items, with: program("VISUAL", "EDITOR") ?? "vi")
    case .page(let item): open([item], with: program("PAGER") ?? "less")
    case .name(let naming, let text):
      if let entries = source as? EntryBrowser { outline.say(entries.name(naming, text)) }
    case .delete(let items, let deletion): delete(items, deletion)
    case .run(let command, let items): run(command, .always, on: items)
    case .runBound(let command, let items): run(command, .afterFailure, on: items)
    case .reload:
      if !source.reload() { outline.say("what came from a pipe or a list cannot be read again") }
    case .redraw: redraw()
    case .suspend: suspend()
    }
  }

  /// Deletes entries, and asks again where there is no trash.
  private func delete(_ items: [Item], _ deletion: TerminalDeletion) {
    guard let entries = source as? EntryBrowser else { return }
    let result = entries.delete(items, deletion, trash: FileEdits.trash(environment))
    outline.unmark(result.gone)
    if result.rest.isEmpty { outline.say(result.words) } else { outline.askToDeleteForGood(result.rest) }
  }

  /// Asks the terminal to put a text on its clipboard, which may be on another machine.
  private func copy(_ items: [Item], _ part: TerminalAction<Item>.Part) {
    let texts = items.map { source.output($0, part) }
    let bytes = Array(texts.joined(separator: [0x0A]))
    device.write("\u{1B}]52;c;\(Data(bytes).base64EncodedString())\u{07}")
    let text = String(decoding: bytes, as: UTF8.self).printed
    outline.say(items.count == 1 ? "copied \(text)" : "copied \(grouped(items.count)) lines")
  }

  /// Returns the command in the first variable with a command.
  ///
  /// An empty command would make the file the command.
  private func program(_ variables: String...) -> String? {
    variables.lazy.compactMap { self.environment[$0] }.first { !$0.allSatisfy(\.isWhitespace) }
  }

  /// Runs a command of the user on the texts that Enter would print.
  private func run(_ command: String, _ pause: ShellCommand.Pause, on items: [Item]) {
    let current = outline.element(at: outline.cursor) ?? items[0]
    let texts = ([current] + items).map { source.output($0, .path) }
    if device.run(ShellCommand(command, pause).script, texts) == 0 {
      outline.say("\(command.printed) is done")
    } else {
      outline.say("\(command.printed) failed")
    }
    redraw()
  }

  private func open(_ items: [Item], with program: String) {
    let files = items.compactMap { source.file($0) }
    guard !files.isEmpty else { return }
    let code = device.run("\(program) \"$@\"", files)
    switch code {
    case 0: break
    // The shell has its own codes for a command that it cannot run.
    case nil, 126, 127: outline.say("\(program.printed) could not be started")
    case let code?: outline.say("\(program.printed) failed with exit code \(code)")
    }
    redraw()
  }
}
