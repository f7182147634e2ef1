import Assemblage

extension Suite {
  /// n integers over 1,000 members of random lengths; `build` joins n members of one integer.
  static var join: Suite {
    Suite(
      name: "join",
      operations: [
        Operation(name: "build", subjects: [buildNode, buildOffsets]),
        Operation(
          name: "element",
          subjects: [element(JoinSubject.self), element(LinearJoin.self), element(CachedOffsets.self)]),
        Operation(
          name: "local-to-global",
          subjects: [
            localToGlobal(JoinSubject.self), localToGlobal(LinearJoin.self),
            localToGlobal(CachedOffsets.self),
          ]),
        Operation(
          name: "global-to-local",
          subjects: [
            globalToLocal(JoinSubject.self), globalToLocal(LinearJoin.self),
            globalToLocal(CachedOffsets.self),
          ]),
        Operation(
          name: "edit", subjects: [edit(JoinSubject.self), edit(LinearJoin.self), edit(CachedOffsets.self)]),
        Operation(
          name: "member-insert",
          subjects: [insertMemberNode, memberInsert(LinearJoin.self), memberInsert(CachedOffsets.self)]),
        Operation(
          name: "scan",
          subjects: [
            scan(JoinSubject.self), scan(LinearJoin.self), scan(CachedOffsets.self), scanArray,
          ]),
        Operation(
          name: "scan-ordered",
          subjects: [
            scanInOrder(JoinSubject.self), scanInOrder(LinearJoin.self), scanInOrder(CachedOffsets.self),
            scanArrayInOrder,
          ]),
      ])
  }

  private static func places(_ context: inout Context) -> MemberPlaces {
    MemberPlaces(n: context.n, bound: 1_000_000, using: &context.generator)
  }

  private static var buildNode: Subject {
    Subject("JoinNode", .library) { context in
      Trial((0..<context.n).map { ArrayNode([$0]) }, elementsPerOperation: context.n) { JoinNode($0).count }
    }
  }

  private static var buildOffsets: Subject {
    Subject("CachedOffsets", .competitor) { context in
      Trial((0..<context.n).map { [$0] }, elementsPerOperation: context.n) {
        CachedOffsets(members: $0).locate(0).member
      }
    }
  }

  // Each of these is inlined into the list above, so that its closures are compiled for the subject's type.

  @inline(__always)
  private static func element<Join: Joining>(_: Join.Type) -> Subject {
    Subject(Join.self) { context in
      var context = context
      let join = Join(members: places(&context).members)
      return Trial((join, Places(in: context.n, using: &context.generator))) { state, operations in
        var sum = 0
        for _ in 0..<operations { sum &+= state.0.element(at: state.1.next()) }
        return sum
      }
    }
  }

  @inline(__always)
  private static func localToGlobal<Join: Joining>(_: Join.Type) -> Subject {
    Subject(Join.self) { context in
      var context = context
      let places = places(&context)
      return Trial((Join(members: places.members), places)) { state, operations in
        var sum = 0
        for _ in 0..<operations {
          let place = state.1.next()
          sum &+= state.0.globalPosition(member: place.member, position: place.position)
        }
        return sum
      }
    }
  }

  @inline(__always)
  private static func globalToLocal<Join: Joining>(_: Join.Type) -> Subject {
    Subject(Join.self) { context in
      var context = context
      let join = Join(members: places(&context).members)
      return Trial((join, Places(in: context.n, using: &context.generator))) { state, operations in
        var sum = 0
        for _ in 0..<operations {
          let place = state.0.locate(state.1.next())
          sum &+= place.member &+ place.position
        }
        return sum
      }
    }
  }

  /// One element inserted in a random member, and one observer told its place in the join.
  @inline(__always)
  private static func edit<Join: Joining>(_: Join.Type) -> Subject {
    Subject(Join.self) { context in
      var context = context
      let places = places(&context)
      var join = Join(members: places.members)
      let heard = Heard()
      join.observer = { heard.sum &+= $0 }
      return Trial(
        (join, places, heard), mostOperations: context.n / 4,
        reset: { state, operations in
          for _ in 0..<operations {
            let place = state.1.takeBack()
            state.0.remove(member: place.member, position: place.position)
          }
        },
        run: { state, operations in
          for _ in 0..<operations {
            let place = state.1.next()
            state.0.insert(place.element, member: place.member, position: place.position)
          }
          return state.2.sum
        })
    }
  }

  /// One member of the average length inserted in a random place.
  @inline(__always)
  private static func memberInsert<Join: Joining>(_: Join.Type) -> Subject {
    Subject(Join.self) { context in
      var context = context
      let join = Join(members: places(&context).members)
      let ordinals = Places(in: MemberPlaces.memberCount, using: &context.generator)
      let member = Array(repeating: 1, count: max(1, context.n / MemberPlaces.memberCount))
      return Trial(
        (join, ordinals), mostOperations: MemberPlaces.memberCount / 4,
        reset: { state, operations in
          for _ in 0..<operations { state.0.removeMember(at: state.1.takeBack()) }
        },
        run: { state, operations in
          for _ in 0..<operations { state.0.insertMember(member, at: state.1.next()) }
          return operations
        })
    }
  }

  /// The nodes to insert are made outside the timer, as the arrays of the other subjects are.
  private static var insertMemberNode: Subject {
    Subject(JoinSubject.self) { context in
      var context = context
      let subject = JoinSubject(members: places(&context).members)
      let ordinals = Places(in: MemberPlaces.memberCount, using: &context.generator)
      let length = max(1, context.n / MemberPlaces.memberCount)
      let most = MemberPlaces.memberCount / 4
      let spare = (0..<most).map { _ in ArrayNode(Array(repeating: 1, count: length)) }
      return Trial(
        (subject.join, ordinals), mostOperations: most,
        reset: { state, operations in
          for _ in 0..<operations { state.0.removeMember(at: state.1.takeBack()) }
        },
        run: { state, operations in
          for index in 0..<operations { state.0.insertMember(spare[index], at: state.1.next()) }
          return state.0.count
        })
    }
  }

  @inline(__always)
  private static func scan<Join: Joining>(_: Join.Type) -> Subject {
    Subject(Join.self) { context in
      var context = context
      let join = Join(members: places(&context).members)
      return Trial(join, elementsPerOperation: context.n) { join in
        join.sum()
      }
    }
  }

  @inline(__always)
  private static func scanInOrder<Join: Joining>(_: Join.Type) -> Subject {
    Subject(Join.self) { context in
      var context = context
      let join = Join(members: places(&context).members)
      return Trial(join, elementsPerOperation: context.n) { join in
        join.orderedSum()
      }
    }
  }

  private static var scanArray: Subject {
    Subject("Array", .competitor) { context in
      var context = context
      let elements = Array(places(&context).members.joined())
      return Trial(elements, elementsPerOperation: context.n) { elements in
        sum(of: elements)
      }
    }
  }

  private static var scanArrayInOrder: Subject {
    Subject("Array", .competitor) { context in
      var context = context
      let elements = Array(places(&context).members.joined())
      return Trial(elements, elementsPerOperation: context.n) { elements in
        orderedSum(of: elements, after: 0)
      }
    }
  }
}

/// What an observer heard; it is read after each round, so that telling it can't be left out.
final class Heard {
  var sum = 0
}
