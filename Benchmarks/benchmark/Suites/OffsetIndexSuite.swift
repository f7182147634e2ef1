import OffsetIndexing

extension Suite {
  /// Children of random sizes below 100, with operations at random places.
  static var offsetIndex: Suite {
    Suite("offset-index", of: OffsetIndex.works, FenwickTree.works, PrefixArray.works, LinearScan.works, lazy)
  }

  /// The sizes of a lazy sequence, which are not in one piece of memory.
  @WorkList
  private static var lazy: [Work] {
    OffsetIndex.work("build-lazy") { context in
      Trial(context.integers(below: 100), elementsPerOperation: context.n) { sizes in
        OffsetIndex(sizes.lazy.map { $0 &+ 1 }).offset(of: sizes.count / 2)
      }
    }
    PrefixArray.work("build-lazy") { context in
      Trial(context.integers(below: 100), elementsPerOperation: context.n) { sizes in
        PrefixArray(sizes: sizes.map { $0 &+ 1 }).offset(of: sizes.count / 2)
      }
    }
  }
}

extension SizeIndexing {
  @WorkList @inline(__always)
  fileprivate static var works: [Work] {
    work("build") { context in
      let sizes = context.integers(below: 100)
      return Trial(sizes, elementsPerOperation: context.n, byteCount: Self(sizes: sizes).byteCount) { sizes in
        Self(sizes: sizes).offset(of: sizes.count / 2)
      }
    }
    work("offset") { context in
      let index = Self(sizes: context.integers(below: 100))
      return Trial((index, context.places())) { state, operations in
        total(operations) { state.0.offset(of: state.1.next()) }
      }
    }
    work("locate") { context in
      let sizes = context.integers(below: 100)
      // All of a few sizes may be zero, and then there is no offset to locate.
      let length = sizes.reduce(0, +)
      let index = Self(sizes: length > 0 ? sizes : [1])
      return Trial((index, context.places(in: max(1, length)))) { state, operations in
        total(operations) {
          let place = state.0.locate(state.1.next())
          return place.index &+ place.offset
        }
      }
    }
    work("update") { context in
      let index = Self(sizes: context.integers(below: 100))
      return Trial(
        (index, context.places()),
        reset: { state, operations in for _ in 0..<operations { state.0.add(-1, at: state.1.takeBack()) } },
        run: { state, operations in
          for _ in 0..<operations { state.0.add(1, at: state.1.next()) }
          return state.0.count
        })
    }
    work("insert") { context in
      let index = Self(sizes: context.integers(below: 100))
      return Trial(
        (index, context.places()), mostOperations: context.n / 4,
        reset: { state, operations in for _ in 0..<operations { state.0.removeOne(at: state.1.takeBack()) } },
        run: { state, operations in
          for _ in 0..<operations {
            let place = state.1.next()
            state.0.insert(place & 63, at: place)
          }
          return state.0.count
        })
    }
    work("remove") { context in
      let index = Self(sizes: context.integers(below: 100))
      // The places stay legal while a quarter of the children is removed.
      return Trial(
        (index, context.places(in: max(1, context.n - context.n / 4))), mostOperations: context.n / 4,
        reset: { state, operations in
          for _ in 0..<operations {
            let place = state.1.takeBack()
            state.0.insert(place & 63, at: place)
          }
        },
        run: { state, operations in
          for _ in 0..<operations { state.0.removeOne(at: state.1.next()) }
          return state.0.count
        })
    }
  }
}
