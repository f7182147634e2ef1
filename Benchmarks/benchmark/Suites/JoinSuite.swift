import Assemblage

extension Suite {
  /// A join of n integers in 1,000 members of random lengths.
  ///
  /// `build` joins n members of one integer, and `outline-build` joins ten members.
  static var join: Suite {
    Suite("join", of: build, JoinSubject.works, LinearJoin.works, CachedOffsets.works, inOneArray, outlines)
  }

  @WorkList
  private static var build: [Work] {
    JoinSubject.work("build") { context in
      Trial((0..<context.n).map { ArrayNode([$0]) }, elementsPerOperation: context.n) { JoinNode($0).count }
    }
    CachedOffsets.work("build") { context in
      Trial((0..<context.n).map { [$0] }, elementsPerOperation: context.n) {
        CachedOffsets(members: $0).locate(0).member
      }
    }
  }

  /// The outline of a join of ten arrays. No row has rows below it.
  @WorkList
  private static var outlines: [Work] {
    JoinSubject.work("outline-build") { context in
      let length = max(1, context.n / 10)
      let join = JoinNode((0..<10).map { ArrayNode(Array($0 * length..<($0 + 1) * length)) })
      return Trial(join, elementsPerOperation: 10 * length) { join in
        OutlineNode(join, expansion: ExpansionState(policy: .expanded), id: { $0 }).count
      }
    }
  }

  /// The same elements in one array.
  private static var inOneArray: [Work] {
    [
      inOneArray("scan") { elements, context in
        Trial(elements, elementsPerOperation: context.n) { elements in sum(of: elements.span) }
      },
      inOneArray("scan-ordered") { elements, context in
        Trial(elements, elementsPerOperation: context.n) { elements in orderedSum(of: elements.span, after: 0) }
      },
    ]
  }

  private static func inOneArray(_ operation: String, _ trial: @escaping ([Int], Context) -> Trial) -> Work {
    Work(
      operation: operation,
      subject: Subject("Array", .competitor) { context in trial(Array(places(&context).members.joined()), context) })
  }

  fileprivate static func places(_ context: inout Context) -> MemberPlaces { MemberPlaces(&context, bound: 1_000_000) }
}

extension JoinSubject {
  /// The nodes to insert are made outside the timer, like the arrays of the other subjects.
  static func memberInsert(_ context: inout Context) -> Trial {
    let subject = JoinSubject(members: Suite.places(&context).members)
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
  }
}

extension Joining {
  @WorkList @inline(__always)
  fileprivate static var works: [Work] {
    work("element") { context in
      let join = Self(members: Suite.places(&context).members)
      return Trial((join, context.places())) { state, operations in
        var sum = 0
        for _ in 0..<operations { sum &+= state.0.element(at: state.1.next()) }
        return sum
      }
    }
    work("local-to-global") { context in
      let places = Suite.places(&context)
      return Trial((Self(members: places.members), places)) { state, operations in
        total(operations) {
          let place = state.1.next()
          return state.0.globalPosition(member: place.member, position: place.position)
        }
      }
    }
    work("global-to-local") { context in
      let join = Self(members: Suite.places(&context).members)
      return Trial((join, context.places())) { state, operations in
        var sum = 0
        for _ in 0..<operations {
          let place = state.0.locate(state.1.next())
          sum &+= place.member &+ place.position
        }
        return sum
      }
    }
    // One element is inserted in a random member, and one observer is notified of its position in the join.
    work("edit") { context in
      let places = Suite.places(&context)
      var join = Self(members: places.members)
      let received = join.observe()
      return Trial(
        (join, places, received), mostOperations: context.n / 4,
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
    work("member-insert") { memberInsert(&$0) }
    work("scan") { context in
      let join = Self(members: Suite.places(&context).members)
      return Trial(join, elementsPerOperation: context.n) { join in join.sum() }
    }
    work("scan-ordered") { context in
      let join = Self(members: Suite.places(&context).members)
      return Trial(join, elementsPerOperation: context.n) { join in join.orderedSum() }
    }
  }

  /// One member of the average length is inserted at a random place.
  @inline(__always)
  static func memberInsert(_ context: inout Context) -> Trial {
    let join = Self(members: Suite.places(&context).members)
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
