/// What the nodes of one filtered tree have in common: the records, the nodes of the source, and which node shows
/// which.
@usableFromInline
final class TreeFilterFamily<Element> {
  /// What has to be specialized for the element where the tree is made.
  @usableFromInline
  struct Functions {
    let reading: NodeReader<Element>.Functions
    /// Asks a predicate about a range of a node's children; the flag says what children without a value get.
    let ask: (NodeReader<Element>, Range<Int>, Bool, (Element) -> Bool) -> BitRun

    @usableFromInline
    init(
      reading: NodeReader<Element>.Functions,
      ask: @escaping (NodeReader<Element>, Range<Int>, Bool, (Element) -> Bool) -> BitRun
    ) {
      self.reading = reading
      self.ask = ask
    }
  }

  /// A shown node. Each removes itself before it dies, so the reference is never used too late.
  struct Member {
    unowned let node: TreeFilterNode<Element>
    /// Tells the node from others when it dies: by then the reference can't be read.
    let identity: ObjectIdentifier

    init(_ node: TreeFilterNode<Element>) {
      self.node = node
      identity = ObjectIdentifier(node)
    }
  }

  struct State: ~Copyable {
    /// The nodes of the source, by record.
    var nodes: [(any TreeNode<Element>)?] = []
    var predicate: (Element) -> Bool
    /// The living nodes of children, by record.
    var members: [Int: Member] = [:]
    /// Members whose child has left, by the node of the source that they showed; they keep it alive.
    var lost: [ObjectIdentifier: [Member]] = [:]
    /// What left for an unknown place in the transaction under way, and may come back in it.
    var departed: [TreeFilterDeparture] = []
    /// The records of what left in the transaction under way, and is given up when that ends.
    ///
    /// Not before: the change that is under way may be taken back, but these departures are not.
    var leaving: [Int] = []
    /// What was hidden in the transaction under way; nil outside of one.
    var hiding: TreeFilterHiding?
    var transaction: Int?

    init(predicate: @escaping (Element) -> Bool) { self.predicate = predicate }
  }

  let functions: Functions
  /// Tells the family from others.
  let number = SerialNumber.next()
  let translation: Cell<TreeFilterTranslation>
  let state: Cell<State>

  init(_ policy: TreeFilterPolicy, _ predicate: @escaping (Element) -> Bool, _ functions: Functions) {
    self.functions = functions
    translation = Cell(TreeFilterTranslation(policy: policy))
    state = Cell(State(predicate: predicate))
  }

  deinit {
    translation.destroy()
    state.destroy()
  }

  var policy: TreeFilterPolicy { translation.value.policy }

  /// Whether nodes of children have been made.
  var hasMembers: Bool { !state.value.members.isEmpty }

  /// The node of a record.
  func node(_ record: Int) -> any TreeNode<Element> { state.value.nodes[record]! }

  /// What the predicate says of a range of a node's children.
  func ask(_ node: any TreeNode<Element>, _ range: Range<Int>) -> BitRun {
    functions.ask(node.reader, range, policy == .hidingSubtrees, state.value.predicate)
  }

  // MARK: Loading

  /// Makes a record that is not attached, and not loaded.
  func makeRecord(_ node: any TreeNode<Element>, isMatch: Bool, showsAll: Bool, isWhole: Bool) -> Int {
    let record = translation.value.makeRecord(isMatch: isMatch, showsAll: showsAll, isWhole: isWhole)
    if record == state.value.nodes.count {
      state.value.nodes.append(node)
    } else {
      state.value.nodes[record] = node
    }
    return record
  }

  /// Looks at a node's children, and, where everything below is to be known, at that.
  ///
  /// - Complexity: O(n) for the n children of all these nodes; the predicate is called for each.
  func load(_ first: Int) {
    var open = [first]
    var order: [Int] = []
    while let record = open.popLast() {
      order.append(record)
      let node = node(record)
      if !translation.value.records[record].isLoaded {
        let verdicts = ask(node, 0..<node.count)
        translation.value.fill(record, verdicts)
      }
      guard translation.value.isEager || translation.value.records[record].isWhole else { continue }
      open += makeRecordsOfChildren(node, record)
    }
    for record in order.reversed() { translation.value.sumUp(record) }
  }

  /// Makes the records of a node's children that have none yet, as far as they are needed.
  ///
  /// - Returns: those that have to be loaded.
  private func makeRecordsOfChildren(_ node: any TreeNode<Element>, _ record: Int) -> [Int] {
    let parent = translation.value.records[record]
    let verdicts = translation.value.passes(in: record)
    var children: [(position: Int, record: Int)] = []
    parent.level.forEachEntry(in: 0..<parent.level.count) { entry, _ in
      children.append((entry.position, entry.record))
    }
    var known = children[...]
    children = []
    for position in 0..<parent.level.count {
      if known.first?.position == position {
        children.append(known.removeFirst())
        translation.value.records[children.last!.record].isWhole = true
      } else if translation.value.isEager || verdicts[position], let child = node.child(at: position) {
        let isMatch = verdicts[position]
        children.append(
          (
            position,
            makeRecord(
              child, isMatch: isMatch, showsAll: showsAll(below: record, isMatch: isMatch), isWhole: parent.isWhole)
          ))
      }
    }
    translation.value.adopt(children, in: record)
    return children.map(\.record)
  }

  /// Whether all children of a node are shown, for its parent and whether it matches.
  func showsAll(below parent: Int, isMatch: Bool) -> Bool {
    policy == .keepingDescendants && (isMatch || translation.value.records[parent].showsAll)
  }

  /// Counts the matches below a node; what has not been looked at is, now.
  func makeWhole(_ record: Int) {
    guard !translation.value.isEager, !translation.value.records[record].isWhole else { return }
    translation.value.records[record].isWhole = true
    let former = translation.value.records[record].matchCount
    load(record)
    let parent = translation.value.records[record].parent
    if parent >= 0, translation.value.records[parent].shown[translation.value.position(ofRecord: record)] {
      translation.value.grow(parent, by: translation.value.records[record].matchCount - former)
    }
  }

  // MARK: The nodes of children

  /// The node of a child, made when it is first asked for; nil where the child is a leaf.
  ///
  /// - Parameters:
  ///   - position: the child's position in the source.
  ///   - record: its parent's record.
  ///   - root: the root of the filtered tree.
  /// - Returns: the node, or nil.
  func node(
    ofChild position: Int, of record: Int, root: TreeFilterNode<Element>
  ) -> TreeFilterNode<Element>? {
    var child = translation.value.record(ofChild: position, of: record)
    if child < 0 {
      // Where matches are searched for, every node has a record.
      guard !translation.value.isEager, let node = node(record).child(at: position) else { return nil }
      child = makeRecord(node, isMatch: true, showsAll: false, isWhole: false)
      translation.value.attach(child, to: record, at: position)
    } else if translation.value.records[child].level.count == 0, node(record).child(at: position) == nil {
      // A node may have become a leaf after it had told that it lost its children.
      return nil
    }
    if let member = state.value.members[child] { return member.node }
    let node = TreeFilterNode(self, record: child, root: root)
    state.value.members[child] = Member(node)
    return node
  }

  /// Notes that the node of a child dies.
  func forget(_ node: TreeFilterNode<Element>, record: Int, source: any TreeNode<Element>) {
    if record > 0 {
      if state.value.members[record]?.identity == ObjectIdentifier(node) { state.value.members[record] = nil }
    } else if record < 0, var members = state.value.lost[ObjectIdentifier(source)] {
      members.removeAll { $0.identity == ObjectIdentifier(node) }
      state.value.lost[ObjectIdentifier(source)] = members.isEmpty ? nil : members
    }
  }

  /// Frees detached records with all below, and hands over their nodes, to be released when nothing is being changed.
  ///
  /// The nodes that showed them show nothing from now on, until their child comes back.
  func discard(_ records: [Int], to references: inout [any TreeNode]) {
    guard !records.isEmpty else { return }
    if hasMembers { loseMembers(below: records) }
    for record in translation.value.discard(records) {
      if let node = state.value.nodes[record] { references.append(node) }
      state.value.nodes[record] = nil
      state.value.hiding?.forget(record: record)
    }
  }

  private func loseMembers(below records: [Int]) {
    var open = records
    while let record = open.popLast() {
      for entry in translation.value.records[record].level.entries { open.append(entry.record) }
      guard let member = state.value.members.removeValue(forKey: record) else { continue }
      let count = translation.value.count(ofRecord: record)
      member.node.lose()
      tell(member, ChangeSet(count > 0 ? .removal(0..<count) : Delta(), updatesValue: true))
      guard translation.value.isEager else {
        // Records are made when a node is read, which is no time to tell that a child has come back.
        if member.node.hub.isObserved { member.node.hub.changesForGood() }
        continue
      }
      state.value.lost[ObjectIdentifier(node(record)), default: []].append(member)
    }
  }

  /// Gives back to nodes that lost their child the record of the one that has come again.
  func findMembers(below records: [Int]) {
    guard !state.value.lost.isEmpty else { return }
    var open = records
    while let record = open.popLast() {
      for entry in translation.value.records[record].level.entries { open.append(entry.record) }
      guard state.value.members[record] == nil, var members = state.value.lost[ObjectIdentifier(node(record))] else {
        continue
      }
      let member = members.removeLast()
      state.value.lost[ObjectIdentifier(node(record))] = members.isEmpty ? nil : members
      if !translation.value.records[record].isLoaded { load(record) }
      state.value.members[record] = member
      member.node.find(record)
      let count = translation.value.count(ofRecord: record)
      tell(member, ChangeSet(count > 0 ? .insertion(0..<count) : Delta(), updatesValue: true))
    }
  }

  /// Tells the node of a child what happened in it, if a dependent or an observer hears of it.
  func tell(_ member: Member, _ change: ChangeSet) {
    if member.node.hub.isObserved { member.node.hub.receiveFromWhole(change) }
  }
}
