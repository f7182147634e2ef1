/// A key of a terminal.
package enum TerminalKey: Hashable, Sendable {
  case character(Character)
  /// A letter typed with the control key, as a small letter.
  case control(Character)
  /// A character typed with the alt key.
  case alt(Character)
  case up, down, left, right, home, end, pageUp, pageDown
  case shiftUp, shiftDown
  case enter, tab, backTab, escape, backspace, delete, insert
  case function(Int)
}

/// An action of the mouse, in cells from the upper left corner, 0.
package enum TerminalMouse: Hashable, Sendable {
  case press(row: Int, column: Int)
  case wheelUp(row: Int, column: Int)
  case wheelDown(row: Int, column: Int)
}

/// An event of a terminal.
package enum TerminalEvent: Hashable, Sendable {
  case key(TerminalKey)
  case mouse(TerminalMouse)
  case paste(String)
  case resize(TerminalSize)
}
