import Assemblage
import AssemblageWidgets

extension TerminalOutline {
  /// Handles an event of the terminal.
  ///
  /// - Parameter event: a key, the mouse, pasted text or a new size.
  /// - Returns: a task for the owner; nil if the owner only has to draw.
  package func handle(_ event: TerminalEvent) -> TerminalAction<ID>? {
    switch event {
    case .resize(let size): resize(to: size)
    case .mouse(let mouse): return handle(mouse)
    case .paste(let text):
      if case .command(var line) = mode {
        line.insert(text)
        mode = .command(line)
      } else if case .naming(let naming, var line) = mode {
        line.insert(text)
        mode = .naming(naming, line)
      } else if search?.isTyped == true {
        type { $0.insert(text) }
      }
    case .key(let key): return handle(key)
    }
    return nil
  }

  /// Shows a sentence in the last line until the next key.
  package func say(_ sentence: String) { message = sentence }

  private func handle(_ key: TerminalKey) -> TerminalAction<ID>? {
    message = nil
    switch mode {
    case .help(let line): return handle(key, whileHelpShows: line)
    case .sorting:
      mode = .browsing
      if case .character(let character) = key { sort(by: character) }
      return nil
    case .command(let line): return handle(key, whileCommandIsTyped: line)
    case .naming(let naming, let line): return handle(key, whileTyping: line, of: naming)
    case .confirming(let deletion, let ids): return handle(key, deleting: ids, deletion)
    case .browsing: break
    }
    let isTyped = search?.isTyped == true
    if !isTyped || !key.isText, let binding = contents.bindings.last(where: { $0.key == key }) {
      return runs { .runBound(binding.command, $0) }
    }
    if isTyped {
      if let command = TerminalCommand(whileTyping: key) { return perform(command) }
      type { $0.take(key) }
      return nil
    }
    return TerminalCommand(key).flatMap { perform($0) }
  }

  private func handle(_ key: TerminalKey, whileHelpShows line: Int) -> TerminalAction<ID>? {
    switch TerminalCommand(key) {
    case .up: mode = .help(max(0, line - 1))
    case .down: mode = .help(min(line + 1, max(0, helpLines.count - viewHeight)))
    case .pageUp: mode = .help(max(0, line - viewHeight))
    case .pageDown: mode = .help(min(line + viewHeight, max(0, helpLines.count - viewHeight)))
    case .interrupt: return .interrupt
    case .suspend: return .suspend
    case .redraw: return .redraw
    default: mode = .browsing
    }
    return nil
  }

  private func handle(_ key: TerminalKey, whileCommandIsTyped line: TerminalLine) -> TerminalAction<ID>? {
    switch key {
    case .enter:
      mode = .browsing
      commands.remember(line.text)
      return line.text.allSatisfy(\.isWhitespace) ? nil : runs { .run(line.text, $0) }
    case .escape, .control("c"), .control("g"): mode = .browsing
    case .control("p"), .up: recall(-1)
    case .control("n"), .down: recall(1)
    case .control("z"): return .suspend
    case .control("l"): return .redraw
    default:
      var line = line
      line.take(key)
      mode = .command(line)
    }
    return nil
  }

  /// Returns the action of a command of the shell for the marked rows, or else for the current row.
  private func runs(_ action: ([ID]) -> TerminalAction<ID>) -> TerminalAction<ID>? {
    let ids = actedIDs
    // The command may remove rows, which must not be chosen again.
    unmarkAll()
    return ids.isEmpty ? nil : action(ids)
  }

  /// Performs the command of a key.
  func perform(_ command: TerminalCommand) -> TerminalAction<ID>? {
    switch command {
    case .up: go(to: cursor - 1)
    case .down: go(to: cursor + 1)
    case .pageUp: scroll(by: -max(1, viewHeight - 1))
    case .pageDown: scroll(by: max(1, viewHeight - 1))
    case .halfPageUp: scroll(by: -max(1, viewHeight / 2))
    case .halfPageDown: scroll(by: max(1, viewHeight / 2))
    case .first: go(to: 0)
    case .last: go(to: count - 1)
    case .unfold: unfold()
    case .fold: fold()
    case .toggle: toggle(row: cursor)
    case .parent: goToParent()
    case .nextSibling: goToSibling(1)
    case .previousSibling: goToSibling(-1)
    case .expandAll: expandAll()
    case .collapseAll: expand(toDepth: 0)
    case .level(let level): expand(toDepth: level)
    case .preview: togglePreview()
    case .rename: beginRenaming()
    case .newFolder: beginFolder()
    case .delete: beginDeletion()
    case .sort:
      if contents.orders.count > 1 { mode = .sorting }
    case .reverse: reverse()
    case .hidden: toggle(.hidden)
    case .ignored: toggle(.ignored)
    case .search: beginSearch()
    case .find: beginSearch(hides: false)
    case .showRest: toggleRest()
    case .formerSearch: recall(-1)
    case .laterSearch: recall(1)
    case .nextMatch: goToMatch(1)
    case .previousMatch: goToMatch(-1)
    case .nextKind: changeSearchKind()
    case .keepFound: keepFound()
    case .showInTree: showInTree()
    case .cancel: cancel()
    case .mark: mark(1)
    case .markUp: mark(-1)
    case .unmarkAll: unmarkAll()
    case .help: mode = .help(0)
    case .run:
      if contents.hasFiles, !actedIDs.isEmpty { mode = .command(TerminalLine()) }
    case .choose, .chooseValues, .copyPath, .copyValue, .edit, .page, .reload, .redraw, .suspend, .quit, .interrupt:
      return action(for: command)
    }
    return nil
  }

  private func action(for command: TerminalCommand) -> TerminalAction<ID>? {
    switch command {
    case .reload: return .reload
    case .redraw: return .redraw
    case .suspend: return .suspend
    case .quit: return .quit
    case .interrupt: return .interrupt
    default: break
    }
    let ids = actedIDs
    guard let current = element(at: cursor).map(contents.id) ?? ids.first else { return nil }
    switch command {
    case .choose: return .choose(ids, .path)
    case .chooseValues: return contents.hasValues ? .choose(ids, .value) : nil
    case .copyPath: return .copy(ids, .path)
    case .copyValue: return contents.hasValues ? .copy(ids, .value) : nil
    case .edit: return contents.hasFiles ? .edit(ids) : nil
    case .page: return contents.hasFiles ? .page(current) : nil
    default: return nil
    }
  }

  /// The ids of the marked rows, or else of the current row.
  var actedIDs: [ID] {
    let marked = markedIDs
    return marked.isEmpty ? element(at: cursor).map { [contents.id($0)] } ?? [] : marked
  }

  // MARK: Marks

  private func mark(_ step: Int) {
    guard count > 0 else { return }
    if !hasMarks {
      // From now on the marked elements are followed, even while they have no row.
      hasMarks = true
      coordinator.keepSelection(.multiple, id: contents.id)
    }
    coordinator.select(at: [0, cursor], .toggling)
    go(to: cursor + step)
  }

  func unmarkAll() {
    guard hasMarks else { return }
    coordinator.selection.deselectAll()
    coordinator.selection.forgetAbsentIDs()
  }

  // MARK: The mouse

  private func handle(_ mouse: TerminalMouse) -> TerminalAction<ID>? {
    guard mode == .browsing else {
      if case .press = mouse { mode = .browsing }
      return nil
    }
    switch mouse {
    case .wheelUp: scrollView(by: -3)
    case .wheelDown: scrollView(by: 3)
    case .press(let line, let column):
      guard column < rowColumns, let row = row(ofLine: line - titleHeight) else { return nil }
      message = nil
      go(to: row)
      if markerColumns(ofRow: row).contains(column) { toggle(row: row) }
    }
    return nil
  }

  /// Scrolls the rows.
  ///
  /// The current row moves only as far as it must to stay on the screen.
  private func scrollView(by step: Int) {
    top = max(0, min(top + step, count - max(1, viewHeight)))
    cursor = max(top + pinnedCount, min(cursor, top + max(1, viewHeight) - 1))
  }

  /// Scrolls the rows and moves the current row by the same step.
  private func scroll(by step: Int) {
    top = max(0, min(top + step, count - max(1, viewHeight)))
    go(to: cursor + step)
  }
}
