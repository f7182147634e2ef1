import OffsetIndexing

extension Suite {
  /// Children of random sizes below 100, in random places.
  static var offsetIndex: Suite {
    Suite("offset-index") {
      Operation(
        "build", build(OffsetIndex.self), build(FenwickTree.self), build(PrefixArray.self), build(LinearScan.self))
      Operation(
        "offset", offset(OffsetIndex.self), offset(FenwickTree.self), offset(PrefixArray.self), offset(LinearScan.self))
      Operation(
        "locate", locate(OffsetIndex.self), locate(FenwickTree.self), locate(PrefixArray.self), locate(LinearScan.self))
      Operation(
        "update", update(OffsetIndex.self), update(FenwickTree.self), update(PrefixArray.self), update(LinearScan.self))
      Operation(
        "insert", insert(OffsetIndex.self), insert(FenwickTree.self), insert(PrefixArray.self), insert(LinearScan.self))
      Operation(
        "remove", remove(OffsetIndex.self), remove(FenwickTree.self), remove(PrefixArray.self), remove(LinearScan.self))
    }
  }

  // Each of these is inlined into the list above, so that its closures are compiled for the subject's type.

  private static func sizes(_ context: inout Context) -> [Int] {
    (0..<context.n).map { _ in Int.random(in: 0..<100, using: &context.generator) }
  }

  @inline(__always)
  private static func build<Index: SizeIndexing>(_: Index.Type) -> Subject {
    Subject(Index.self) { context in
      let sizes = sizes(&context)
      let bytes = Double(Index(sizes: sizes).byteCount) / Double(context.n)
      return Trial(sizes, elementsPerOperation: context.n, bytesPerElement: bytes) { sizes in
        Index(sizes: sizes).offset(of: sizes.count / 2)
      }
    }
  }

  @inline(__always)
  private static func offset<Index: SizeIndexing>(_: Index.Type) -> Subject {
    Subject(Index.self) { context in
      let index = Index(sizes: sizes(&context))
      return Trial((index, context.places())) { state, operations in
        total(operations) { state.0.offset(of: state.1.next()) }
      }
    }
  }

  @inline(__always)
  private static func locate<Index: SizeIndexing>(_: Index.Type) -> Subject {
    Subject(Index.self) { context in
      let sizes = sizes(&context)
      // A few sizes may all be zero, and then there is no offset to locate.
      let length = sizes.reduce(0, +)
      let index = Index(sizes: length > 0 ? sizes : [1])
      return Trial((index, context.places(in: max(1, length)))) { state, operations in
        total(operations) {
          let place = state.0.locate(state.1.next())
          return place.index &+ place.offset
        }
      }
    }
  }

  @inline(__always)
  private static func update<Index: SizeIndexing>(_: Index.Type) -> Subject {
    Subject(Index.self) { context in
      let index = Index(sizes: sizes(&context))
      return Trial(
        (index, context.places()),
        reset: { state, operations in for _ in 0..<operations { state.0.add(-1, at: state.1.takeBack()) } },
        run: { state, operations in
          for _ in 0..<operations { state.0.add(1, at: state.1.next()) }
          return state.0.count
        })
    }
  }

  @inline(__always)
  private static func insert<Index: SizeIndexing>(_: Index.Type) -> Subject {
    Subject(Index.self) { context in
      let index = Index(sizes: sizes(&context))
      return Trial(
        (index, context.places()),
        mostOperations: context.n / 4,
        reset: { state, operations in for _ in 0..<operations { state.0.removeOne(at: state.1.takeBack()) } },
        run: { state, operations in
          for _ in 0..<operations {
            let place = state.1.next()
            state.0.insert(place & 63, at: place)
          }
          return state.0.count
        })
    }
  }

  @inline(__always)
  private static func remove<Index: SizeIndexing>(_: Index.Type) -> Subject {
    Subject(Index.self) { context in
      let index = Index(sizes: sizes(&context))
      // The places stay legal while a quarter of the children is removed.
      return Trial(
        (index, context.places(in: max(1, context.n - context.n / 4))),
        mostOperations: context.n / 4,
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
