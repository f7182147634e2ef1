import Assemblage

extension Suite {
  /// n integers over 1,000 members of random lengths; `build` joins n members of one integer.
  static var join: Suite {
    Suite("join") {
      Operation(
        "build",
        Subject("JoinNode", .library) { context in
          Trial((0..<context.n).map { ArrayNode([$0]) }, elementsPerOperation: context.n) { JoinNode($0).count }
        },
        Subject("CachedOffsets", .competitor) { context in
          Trial((0..<context.n).map { [$0] }, elementsPerOperation: context.n) {
            CachedOffsets(members: $0).locate(0).member
          }
        })
      Operation("element", element(JoinSubject.self), element(LinearJoin.self), element(CachedOffsets.self))
      Operation(
        "local-to-global", localToGlobal(JoinSubject.self), localToGlobal(LinearJoin.self),
        localToGlobal(CachedOffsets.self))
      Operation(
        "global-to-local", globalToLocal(JoinSubject.self), globalToLocal(LinearJoin.self),
        globalToLocal(CachedOffsets.self))
      Operation("edit", edit(JoinSubject.self), edit(LinearJoin.self), edit(CachedOffsets.self))
      Operation(
        "member-insert",
        // The nodes to insert are made outside the timer, as the arrays of the other subjects are.
        Subject(JoinSubject.self) { context in
          let subject = JoinSubject(members: places(&context).members)
          let ordinals = context.places(in: MemberPlaces.memberCount)
          let length = max(1, context.n / MemberPlaces.memberCount)
          let most = MemberPlaces.memberCount / 4
          let spare = (0..<most).map { _ in ArrayNode(Array(repeating: 1, count: length)) }
          return Trial(
            (subject.join, ordinals), mostOperations: most,
            reset: { state, operations in for _ in 0..<operations { state.0.removeMember(at: state.1.takeBack()) } },
            run: { state, operations in
              for index in 0..<operations { state.0.insertMember(spare[index], at: state.1.next()) }
              return state.0.count
            })
        },
        memberInsert(LinearJoin.self),
        memberInsert(CachedOffsets.self))
      Operation(
        "scan",
        scan(JoinSubject.self),
        scan(LinearJoin.self),
        scan(CachedOffsets.self),
        Subject("Array", .competitor) { context in
          let elements = Array(places(&context).members.joined())
          return Trial(elements, elementsPerOperation: context.n) { elements in sum(of: elements) }
        })
      Operation(
        "scan-ordered",
        scanInOrder(JoinSubject.self),
        scanInOrder(LinearJoin.self),
        scanInOrder(CachedOffsets.self),
        Subject("Array", .competitor) { context in
          let elements = Array(places(&context).members.joined())
          return Trial(elements, elementsPerOperation: context.n) { elements in orderedSum(of: elements, after: 0) }
        })
    }
  }

  private static func places(_ context: inout Context) -> MemberPlaces {
    MemberPlaces(n: context.n, bound: 1_000_000, using: &context.generator)
  }

  // Each of these is inlined into the list above, so that its closures are compiled for the subject's type.

  @inline(__always)
  private static func element<Join: Joining>(_: Join.Type) -> Subject {
    Subject(Join.self) { context in
      let join = Join(members: places(&context).members)
      return Trial((join, context.places())) { state, operations in
        total(operations) { state.0.element(at: state.1.next()) }
      }
    }
  }

  @inline(__always)
  private static func localToGlobal<Join: Joining>(_: Join.Type) -> Subject {
    Subject(Join.self) { context in
      let places = places(&context)
      return Trial((Join(members: places.members), places)) { state, operations in
        total(operations) {
          let place = state.1.next()
          return state.0.globalPosition(member: place.member, position: place.position)
        }
      }
    }
  }

  @inline(__always)
  private static func globalToLocal<Join: Joining>(_: Join.Type) -> Subject {
    Subject(Join.self) { context in
      let join = Join(members: places(&context).members)
      return Trial((join, context.places())) { state, operations in
        total(operations) {
          let place = state.0.locate(state.1.next())
          return place.member &+ place.position
        }
      }
    }
  }

  /// One element inserted in a random member, and one observer told its place in the join.
  @inline(__always)
  private static func edit<Join: Joining>(_: Join.Type) -> Subject {
    Subject(Join.self) { context in
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
      let join = Join(members: places(&context).members)
      let ordinals = context.places(in: MemberPlaces.memberCount)
      let member = Array(repeating: 1, count: max(1, context.n / MemberPlaces.memberCount))
      return Trial(
        (join, ordinals), mostOperations: MemberPlaces.memberCount / 4,
        reset: { state, operations in for _ in 0..<operations { state.0.removeMember(at: state.1.takeBack()) } },
        run: { state, operations in
          for _ in 0..<operations { state.0.insertMember(member, at: state.1.next()) }
          return operations
        })
    }
  }

  @inline(__always)
  private static func scan<Join: Joining>(_: Join.Type) -> Subject {
    Subject(Join.self) { context in
      let join = Join(members: places(&context).members)
      return Trial(join, elementsPerOperation: context.n) { join in join.sum() }
    }
  }

  @inline(__always)
  private static func scanInOrder<Join: Joining>(_: Join.Type) -> Subject {
    Subject(Join.self) { context in
      let join = Join(members: places(&context).members)
      return Trial(join, elementsPerOperation: context.n) { join in join.orderedSum() }
    }
  }
}

/// What an observer heard; it is read after each round, so that telling it can't be left out.
final class Heard {
  var sum = 0
}
