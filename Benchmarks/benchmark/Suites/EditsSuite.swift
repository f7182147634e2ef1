import Assemblage

extension Suite {
  /// The smallest edits: one object is inserted in an array of n objects, and one observer of a view above is notified.
  ///
  /// The competitor keeps the objects in an array, and makes the view again from the array.
  static var edits: Suite {
    Suite("edits") {
      operation("array", { $0 }, { $0.count })
      operation("filter", { shown($0) }) { contacts in
        contacts.filter { Predicates.first($0.number) }.count
      }
      operation("sort", { SortNode($0) { $0.number < $1.number } }) { contacts in
        contacts.sorted { $0.number < $1.number }.count
      }
      operation("group", { GroupNode($0) { $0.number & 15 } }) { contacts in
        Dictionary(grouping: contacts) { $0.number & 15 }.count
      }
      operation("slice", { SliceNode($0, $0.count / 4..<$0.count / 2) }) { contacts in
        Array(contacts[contacts.count / 4..<contacts.count / 2]).count
      }
      operation("map", { MapNode($0) { $0.number &* 7 } }) { contacts in contacts.map { $0.number &* 7 }.count }
      operation("unique", { UniqueNode($0) { $0.number } }) { contacts in
        var seen: Set<Int> = []
        return contacts.filter { seen.insert($0.number).inserted }.count
      }
      operation("join", { JoinNode([$0, ArrayNode([])]) }) { contacts in (contacts + []).count }
      operation("filter-sort", { SortNode(shown($0)) { $0.number < $1.number } }) { contacts in
        contacts.filter { Predicates.first($0.number) }.sorted { $0.number < $1.number }.count
      }
      operation("join-filter", { shown(JoinNode([ArrayNode([]), $0, ArrayNode([])])) }) { contacts in
        ([] + contacts + []).filter { Predicates.first($0.number) }.count
      }
      operation("join-filter-sort", { SortNode(shown(JoinNode([$0, ArrayNode([])]))) { $0.number < $1.number } }) {
        contacts in
        (contacts + []).filter { Predicates.first($0.number) }.sorted { $0.number < $1.number }.count
      }
    }
  }

  private static func shown(_ contacts: some TreeNode<Contact>) -> FilterNode<Contact> {
    FilterNode(contacts) { Predicates.first($0.number) }
  }

  private static func operation<View: TreeNode>(
    _ name: String, _ view: @escaping (ArrayNode<Contact>) -> View, _ remade: @escaping ([Contact]) -> Int
  ) -> Operation {
    Operation(
      name: name,
      subjects: [
        Subject("Node", .library) { context in
          let edits = ContactEdits(context)
          let source = ArrayNode(edits.contacts)
          let received = Heard()
          let observation = view(source).observe { received.sum &+= $0.delta.countChange }
          return Trial(
            (source, edits, received, observation), mostOperations: max(1, context.n / 4),
            reset: { state, operations in for _ in 0..<operations { state.0.remove(at: state.1.takeBack()) } },
            run: { state, operations in
              for _ in 0..<operations {
                let edit = state.1.next()
                state.0.insert(edit.contact, at: edit.place)
              }
              return state.2.sum
            })
        },
        Subject("Array", .competitor) { context in
          let edits = ContactEdits(context)
          return Trial(
            (edits.contacts, edits), mostOperations: max(1, context.n / 4),
            reset: { state, operations in for _ in 0..<operations { state.0.remove(at: state.1.takeBack()) } },
            run: { state, operations in
              var sum = 0
              for _ in 0..<operations {
                let edit = state.1.next()
                state.0.insert(edit.contact, at: edit.place)
                sum &+= remade(state.0)
              }
              return sum
            })
        },
      ])
  }
}

/// An array of n objects, and other objects that are inserted at random places among them.
struct ContactEdits {
  let contacts: [Contact]
  private var places: Places
  private var spare: SpareElements<Contact>

  init(_ context: Context) {
    var context = context
    contacts = context.integers(below: Predicates.bound).map { Contact($0) }
    places = context.places()
    spare = SpareElements(&context)
  }

  mutating func next() -> (contact: Contact, place: Int) { (spare.take(), places.next()) }

  /// The last place that was returned.
  mutating func takeBack() -> Int {
    spare.takeBack()
    return places.takeBack()
  }
}
