import OffsetIndexing

extension Suite {
  /// Random bits, a third of them set, with operations at random places.
  static var bitIndex: Suite { Suite("bit-index", of: BitIndex.works, PositionArray.works) }
}

extension BitIndexing {
  @WorkList @inline(__always)
  fileprivate static var works: [Work] {
    work("build") { context in
      let n = context.n
      let words = words(&context)
      return Trial(words, elementsPerOperation: n, byteCount: Self(words: words, count: n).byteCount) { words in
        Self(words: words, count: n).rank(n / 2)
      }
    }
    work("rank") { context in
      let index = Self(words: words(&context), count: context.n)
      return Trial((index, context.places())) { state, operations in
        total(operations) { state.0.rank(state.1.next()) }
      }
    }
    work("select") { context in
      var index = Self(words: words(&context), count: context.n)
      if index.setCount == 0 { index.toggle(at: 0) }
      return Trial((index, context.places(in: index.setCount))) { state, operations in
        total(operations) { state.0.select(state.1.next()) }
      }
    }
    work("flip") { context in
      let index = Self(words: words(&context), count: context.n)
      return Trial(
        (index, context.places()),
        reset: { state, operations in for _ in 0..<operations { state.0.toggle(at: state.1.takeBack()) } },
        run: { state, operations in
          for _ in 0..<operations { state.0.toggle(at: state.1.next()) }
          return state.0.setCount
        })
    }
    work("insert") { context in
      let index = Self(words: words(&context), count: context.n)
      return Trial(
        (index, context.places()), mostOperations: context.n / 4,
        reset: { state, operations in for _ in 0..<operations { state.0.removeOne(at: state.1.takeBack()) } },
        run: { state, operations in
          for _ in 0..<operations {
            let place = state.1.next()
            state.0.insert(place % 3 == 0, at: place)
          }
          return state.0.setCount
        })
    }
  }

  /// Random words in which a third of the bits is set. Bits from n on are zero.
  private static func words(_ context: inout Context) -> [UInt64] {
    var words = Array(repeating: UInt64(0), count: (context.n + 63) / 64)
    for i in 0..<context.n where Int.random(in: 0..<3, using: &context.generator) == 0 {
      words[i / 64] |= 1 << (i % 64)
    }
    return words
  }
}
