extension ChangeSet: Hashable, CustomStringConvertible {
  /// Whether two change sets describe the same change.
  public static func == (left: ChangeSet, right: ChangeSet) -> Bool {
    left.level == right.level && left.updatesValue == right.updatesValue && left.nodes == right.nodes
      && (left.crossings.isEmpty && right.crossings.isEmpty || left.transfers == right.transfers)
  }

  /// Hashes the change: equal change sets have equal hashes.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(level)
    hasher.combine(updatesValue)
    hasher.combine(nodes)
    hasher.combine(transfers)
  }

  /// A text like `[-1, +2; 3: [+0]]`: position 1 was removed, position 2 was inserted, and 0 was inserted inside child
  /// 3.
  ///
  /// The position 3 is the child's position after the change. A leading `~` means that the node's own value changed.
  /// Transfers follow, like ` {[0, 1]→[2, 0]: [+3]}`, with the change of the child if there is one.
  public var description: String {
    var text = updatesValue ? "~" : ""
    enum Task {
      case enter(Int)
      case leave
    }
    var tasks: [Task] = []
    func open(_ index: Int, _ delta: Delta) {
      text += delta.description
      text.removeLast()
      tasks.append(.leave)
      Self.forEachChildBackward(of: index, in: nodes) { tasks.append(.enter($0)) }
    }
    open(nodes.count, delta)
    while let task = tasks.popLast() {
      switch task {
      case .enter(let index):
        text += "; \(nodes[index].position): "
        open(index, nodes[index].delta)
      case .leave: text += "]"
      }
    }
    let transfers = transfers.map {
      "\($0.source.sentence)→\($0.destination.sentence)" + ($0.change.isEmpty ? "" : ": \($0.change)")
    }
    return transfers.isEmpty ? text : text + " {" + transfers.joined(separator: ", ") + "}"
  }

  /// Checks that the array describes a tree in canonical form, if the trait `InternalChecks` is on.
  @inline(__always)
  func checkInvariants() {
    #if InternalChecks
      checkTree()
    #endif
  }

  #if InternalChecks
    private func checkTree() {
      var depths = 0
      var tasks: [(index: Int, delta: Delta)] = [(nodes.count, delta)]
      while let (parent, delta) = tasks.popLast() {
        let inserted = delta.insertions
        var later = Int.max
        Self.forEachChildBackward(of: parent, in: nodes) { index in
          let node = nodes[index]
          require(node.position >= 0 && node.position < later, "ChangeSet: children out of order: \(self).")
          require(
            !inserted.contains(position: node.position), "ChangeSet: a change inside an inserted child: \(self).")
          require(node.size > 1 || !node.delta.isEmpty, "ChangeSet: an empty change of a child: \(self).")
          require(node.size >= 1 && node.size <= index + 1, "ChangeSet: a wrong subtree size: \(self).")
          later = node.position
          depths += 1
          tasks.append((index, node.delta))
        }
      }
      require(
        crossings.allSatisfy { $0.change.crossings.isEmpty },
        "ChangeSet: a transfer with transfers of its own: \(self).")
      require(depths == nodes.count, "ChangeSet: entries that belong to no child: \(depths) of \(nodes.count).")
    }
  #endif
}
