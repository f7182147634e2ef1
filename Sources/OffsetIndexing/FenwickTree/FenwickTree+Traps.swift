/// How ``FenwickTree`` and ``OffsetIndex`` stop a program that breaks a precondition: with one sentence, in
/// release builds too (which is why it is not `precondition`, whose message a release build drops), and out
/// of line, so that the checks stay cheap.
enum SumTrap {
  @inline(never) static func index(_ index: Int, _ count: Int) -> Never {
    fatalError("index \(index) is out of range: there are \(count) sizes, 0..<\(count)")
  }

  @inline(never) static func boundary(_ index: Int, _ count: Int) -> Never {
    fatalError("boundary \(index) is out of range: there are \(count) sizes, 0...\(count)")
  }

  @inline(never) static func range(_ range: Range<Int>, _ count: Int) -> Never {
    fatalError("range \(range) is out of range: there are \(count) sizes, 0..<\(count)")
  }

  @inline(never) static func offset(_ offset: Int, _ total: Int) -> Never {
    fatalError("offset \(offset) is out of range: the sizes add up to \(total), 0..<\(total)")
  }

  @inline(never) static func negative(_ what: StaticString, _ value: Int) -> Never {
    fatalError("\(what) \(value) is negative")
  }

  @inline(never) static func overflow(_ what: StaticString) -> Never {
    fatalError("\(what) does not fit in an Int")
  }
}
