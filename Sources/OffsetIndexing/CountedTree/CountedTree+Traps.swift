/// How `BitIndex` and `OrderIndex` stop a program that breaks a precondition: with one sentence, in release builds too
/// (a release build drops the message of `precondition`), and out of line, so that the checks stay cheap.
enum UnitTrap {
  @inline(never)
  static func position(_ position: Int, of unit: StaticString, count: Int) -> Never {
    fatalError("\(unit) \(position) is out of range 0..<\(count)")
  }

  @inline(never)
  static func boundary(_ position: Int, count: Int) -> Never {
    fatalError("position \(position) is out of range 0...\(count)")
  }

  @inline(never)
  static func range(_ range: Range<Int>, count: Int) -> Never {
    fatalError("range \(range) is out of range 0..<\(count)")
  }

  @inline(never)
  static func count(_ count: Int, of units: StaticString) -> Never {
    fatalError("cannot make or insert \(count) \(units)")
  }

  @inline(never)
  static func limit(_ count: Int, adding added: Int, limit: Int, of units: StaticString) -> Never {
    fatalError("\(count) and \(added) more are too many: at most \(limit) \(units) fit in one index")
  }

  @inline(never)
  static func words(_ words: Int, count: Int) -> Never {
    fatalError("cannot take \(count) bits from \(words) words of 64")
  }

  @inline(never)
  static func deadHandle(_ number: Int) -> Never {
    fatalError("handle \(number) is not in the order index")
  }
}
