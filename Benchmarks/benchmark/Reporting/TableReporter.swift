/// A table for people, with a row for each size and two columns for each subject.
///
/// The first column has the median of the samples in which the subjects take turns. The second has the median of
/// samples that follow each other, so that the memory that they read is in the caches.
///
///     offset-index/locate: nanoseconds ± spread, × the time of OffsetIndex
///              n  OffsetIndex  warm        FenwickTree  warm
///          1,024     11.2 ±1%  10.9  24.8 ±2%   × 2.21  24.1
struct TableReporter: Reporter {
  let header: String? = nil
  let showsNotes = true

  func text(_ result: OperationResult) -> String {
    let main = result.subjects[0]
    var rows = [["n"] + result.subjects.flatMap { [$0, "warm"] }]
    for n in result.sizes {
      let cells = result.subjects.flatMap { subject in
        guard let own = result.measurement(subject, n) else { return ["–", "–"] }
        let ratio = subject == main ? nil : result.ratio(subject, n)
        return [Self.time(own) + (ratio.map { "  × \(Decimal.short($0))" } ?? ""), own.warm.map(Decimal.short) ?? "–"]
      }
      rows.append([Decimal.grouped(n)] + cells)
    }

    var lines = ["\(result.suite)/\(result.operation): \(result.unit) ± spread, × the time of \(main)"]
    lines += Self.aligned(rows)
    lines += memory(result)
    lines += result.notes.map { "  \($0)" }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The median, with its spread in percent.
  static func time(_ own: Measurement) -> String {
    "\(Decimal.short(own.time.median)) ±\(Int((own.relativeSpread * 100).rounded()))%"
  }

  /// One line with the bytes for each element at the largest size, if any subject knows them.
  private func memory(_ result: OperationResult) -> [String] {
    guard let n = result.sizes.last else { return [] }
    let known = result.subjects.compactMap { subject in
      result.measurement(subject, n)?.bytesPerElement.map { "\(subject) \(Decimal.short($0))" }
    }
    return known.isEmpty
      ? [] : ["  bytes an element at n = \(Decimal.grouped(n)): \(known.joined(separator: ", "))"]
  }

  /// Pads each column to its widest cell. All columns are aligned at the right.
  static func aligned(_ rows: [[String]]) -> [String] {
    let columns = rows.map(\.count).max() ?? 0
    let widths = (0..<columns).map { column in
      rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
    }
    return rows.map { row in
      zip(row, widths).map { cell, width in
        "  " + String(repeating: " ", count: width - cell.count) + cell
      }
      .joined()
    }
  }
}
