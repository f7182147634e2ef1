import Testing

extension ExitTest.Result? {
  /// Whether the process that was expected to stop wrote `sentence` before it did.
  func says(_ sentence: String) -> Bool {
    guard let self else { return false }
    return String(decoding: self.standardErrorContent, as: UTF8.self).contains(sentence)
  }
}
