import Assemblage
import AssemblageGTK
import CGTK
import Foundation

/// Scrolls through all rows, one step a frame, and prints the durations of frames and of GTK's questions.
final class Measurement {
  private let browser: BrowserWindow
  private let finish: () -> Void
  private let clock = ContinuousClock()
  private var frames: [Duration] = []
  private var last: ContinuousClock.Instant?
  private var step = 0

  /// The number of frames of each kind.
  private static let frameCount = 300

  init(_ browser: BrowserWindow, finish: @escaping () -> Void) {
    self.browser = browser
    self.finish = finish
  }

  func start() {
    measureSearches()
    gtk_widget_add_tick_callback(
      browser.window,
      { _, _, data in
        Unmanaged<Measurement>.fromOpaque(data!).takeUnretainedValue().tick() ? 1 : 0
      }, Unmanaged.passRetained(self).toOpaque(), { Unmanaged<AnyObject>.fromOpaque($0!).release() })
  }

  /// Measures the time from a typed text to the rows of its matches.
  private func measureSearches() {
    for text in ["h", "ha", "har", "harbour", "harbour 77", ""] {
      let start = clock.now
      browser.tree.search(text)
      let time = clock.now - start
      print("search “\(text)”: \(browser.tree.outline.count.grouped) rows after \(time.milliseconds)")
    }
    let start = clock.now
    browser.tree.outline.expandAll()
    print("expand all: \(browser.tree.outline.count.grouped) rows after \((clock.now - start).milliseconds)")
  }

  private func tick() -> Bool {
    let now = clock.now
    if let last { frames.append(now - last) }
    last = now
    let adjustment = browser.view.adjustment
    let size = gtk_adjustment_get_upper(adjustment) - gtk_adjustment_get_page_size(adjustment)
    if step == Self.frameCount || step == 2 * Self.frameCount { report(step == Self.frameCount ? "scroll" : "jump") }
    if step == 2 * Self.frameCount {
      finish()
      return false
    }
    if step < Self.frameCount {
      gtk_adjustment_set_value(adjustment, Double(step) * 90)
    } else {
      // Each jump goes to another place: multiples of the golden section.
      let place = Double(step) * 0.618_033_988_75
      gtk_adjustment_set_value(adjustment, (place - place.rounded(.down)) * size)
    }
    step += 1
    return true
  }

  private func report(_ name: String) {
    let sorted = frames.sorted()
    let timing = browser.view.timing
    let rows = browser.tree.outline.count.grouped
    let (median, longest) = (sorted[sorted.count / 2].milliseconds, sorted[sorted.count - 1].milliseconds)
    print("\(name): \(rows) rows, \(frames.count) frames; median \(median), longest \(longest)")
    print("  cells filled in: \(timing.binds.summary)")
    print("  questions to the coordinator: \(timing.lookups.summary)")
    frames = []
    browser.view.resetTiming()
  }
}

extension Duration {
  private var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }

  var milliseconds: String { "\((seconds * 1e5).rounded() / 100) ms" }
  var microseconds: String { "\((seconds * 1e8).rounded() / 100) µs" }
}

extension ViewTiming.Calls {
  fileprivate var summary: String {
    "\(count.grouped), \((total / max(1, count)).microseconds) each, the longest \(longest.microseconds)"
  }
}
