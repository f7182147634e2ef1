public import OffsetIndexing

/// What the nodes of one filtered tree have in common: the records, the nodes of the source, and which node shows
/// which.
@usableFromInline
final class TreeFilterFamily<Element> {
  typealias Node = TreeFilterSources<Element>.Node

  /// What has to be specialized for the element where the tree is made.
  @usableFromInline
  struct Functions {
    let reading: NodeReader<Element>.Functions
    /// Asks a predicate about a range of a node's children; the flag says what children without a value get.
    let ask: (NodeReader<Element>, Range<Int>, Bool, (Element) -> Bool) -> BitRun
    /// Asks a predicate about a range of the children of a branch of a forest.
    let askBranch: (ForestNode<Element>, TreeIndex.Branch, Range<Int>, (Element) -> Bool) -> BitRun
    /// Asks a predicate about all elements of a forest, and returns a bit for each by document number.
    let askAll: (ForestNode<Element>, (Element) -> Bool) -> [UInt64]

    @usableFromInline
    init(
      reading: NodeReader<Element>.Functions,
      ask: @escaping (NodeReader<Element>, Range<Int>, Bool, (Element) -> Bool) -> BitRun,
      askBranch: @escaping (ForestNode<Element>, TreeIndex.Branch, Range<Int>, (Element) -> Bool) -> BitRun,
      askAll: @escaping (ForestNode<Element>, (Element) -> Bool) -> [UInt64]
    ) {
      self.reading = reading
      self.ask = ask
      self.askBranch = askBranch
      self.askAll = askAll
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
    var sources: TreeFilterSources<Element>
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

    init(_ sources: TreeFilterSources<Element>, predicate: @escaping (Element) -> Bool) {
      self.sources = sources
      self.predicate = predicate
    }
  }

  let functions: Functions
  /// Tells the family from others.
  let number = SerialNumber.next()
  let translation: Cell<TreeFilterTranslation>
  let state: Cell<State>

  init(
    _ source: any TreeNode<Element>, _ policy: TreeFilterPolicy, _ predicate: @escaping (Element) -> Bool,
    _ functions: Functions
  ) {
    self.functions = functions
    translation = Cell(TreeFilterTranslation(policy: policy))
    state = Cell(
      State(TreeFilterSources(source, isEager: policy != .hidingSubtrees), predicate: predicate))
  }

  deinit {
    translation.destroy()
    state.destroy()
  }

  var policy: TreeFilterPolicy { translation.value.policy }

  /// Whether nodes of children have been made.
  var hasMembers: Bool { !state.value.members.isEmpty }

  /// The node of an attached record; of a record that the changes on the way to it have been translated for.
  ///
  /// - Complexity: O(1); in a forest O(d · log n) at depth d.
  func node(_ record: Int) -> Node {
    guard let forest = state.value.sources.forest else { return .object(state.value.sources.object(record)!) }
    var branch = forest.branch
    for position in translation.value.path(ofRecord: record) {
      guard let child = forest.shape.branch(at: position, of: branch) else {
        trap("TreeFilterNode: a ForestNode has a leaf where according to what it told it has a branch.")
      }
      branch = child
    }
    return .branch(forest, branch)
  }

  /// What the predicate says of a range of a node's children.
  func ask(_ node: Node, _ range: Range<Int>) -> BitRun {
    switch node {
    case .object(let object):
      functions.ask(object.reader, range, policy == .hidingSubtrees, state.value.predicate)
    case .branch(let forest, let branch): functions.askBranch(forest, branch, range, state.value.predicate)
    }
  }

  // MARK: Loading

  /// Looks at the whole tree.
  func loadAll() {
    guard let forest = state.value.sources.forest, forest.isRoot, !forest.isElement else { return load(0, node(0)) }
    translation.value.copyShape(of: forest.shape, childrenOf: forest.branch)
    var sweep = TreeFilterSweep(translation.value.shape, passing: functions.askAll(forest, state.value.predicate))
    translation.value.show(&sweep, isNew: true)
  }

  /// Makes the record of a child that is a node; its children have not been looked at.
  func makeRecord(
    _ node: Node, at position: Int, of parent: Int, isMatch: Bool, showsAll: Bool, isWhole: Bool
  ) -> Int {
    let record = translation.value.makeRecord(
      at: position, of: parent, isMatch: isMatch, showsAll: showsAll, isWhole: isWhole)
    state.value.sources.insert(node, for: record)
    return record
  }

  /// Looks at a node's children, and, where everything below is to be known, at that.
  ///
  /// - Complexity: O(n) for the n children of all these nodes; the predicate is called for each.
  func load(_ first: Int, _ node: Node) {
    var open = [(record: first, node: node)]
    var order: [Int] = []
    while let (record, node) = open.popLast() {
      order.append(record)
      if !translation.value.records[record].isLoaded {
        let verdicts = ask(node, 0..<node.count)
        translation.value.fill(record, verdicts)
      }
      guard translation.value.isEager || translation.value.records[record].isWhole else { continue }
      makeRecordsOfChildren(node, record, &open)
    }
    for record in order.reversed() { translation.value.sumUp(record) }
  }

  /// Makes the records of a node's children that have none yet, as far as they are needed. Those that have to be loaded
  /// come to `open`.
  private func makeRecordsOfChildren(_ node: Node, _ record: Int, _ open: inout [(record: Int, node: Node)]) {
    let isWhole = translation.value.records[record].isWhole
    let isEager = translation.value.isEager
    let verdicts = translation.value.passes(in: record)
    let known = translation.value.children(of: record)
    for child in known {
      translation.value.records[child.record].isWhole = true
      open.append((child.record, self.node(child.record)))
    }
    let isKnown = Set(known.map(\.position))
    for (position, child) in node.children(where: { (isEager || verdicts[$0]) && !isKnown.contains($0) }) {
      let isMatch = verdicts[position]
      let fresh = makeRecord(
        child, at: position, of: record, isMatch: isMatch, showsAll: showsAll(below: record, isMatch: isMatch),
        isWhole: isWhole)
      open.append((fresh, child))
    }
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
    load(record, node(record))
    let parent = translation.value.parent(of: record)
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
  ///   - source: its parent's node in the source.
  ///   - root: the root of the filtered tree.
  /// - Returns: the node, or nil.
  func node(
    ofChild position: Int, of record: Int, in source: any TreeNode<Element>, root: TreeFilterNode<Element>
  ) -> TreeFilterNode<Element>? {
    var child = translation.value.record(ofChild: position, of: record)
    if child < 0 {
      // Where matches are searched for, every node has a record.
      guard !translation.value.isEager, let node = source.child(at: position) else { return nil }
      child = makeRecord(
        .object(node), at: position, of: record, isMatch: true, showsAll: false, isWhole: false)
    } else if translation.value.childCount(of: child) == 0, source.child(at: position) == nil {
      // A node may have become a leaf after it had told that it lost its children.
      return nil
    }
    if let member = state.value.members[child] { return member.node }
    let kept = state.value.sources.object(child)
    let node = TreeFilterNode(self, record: child, source: kept ?? source.child(at: position)!, root: root)
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
    translation.value.discard(records) { record in
      if let node = state.value.sources.remove(record) { references.append(node) }
      state.value.hiding?.forget(record: record)
    }
  }

  /// Whether nodes have lost their child that may come back.
  var hasLost: Bool { !state.value.lost.isEmpty }

  /// Forgets what only a rollback may bring back.
  func endTransaction() {
    if !translation.value.isEager { state.value.lost = [:] }
  }

  private func loseMembers(below records: [Int]) {
    var open = records
    while let record = open.popLast() {
      for child in translation.value.children(of: record) { open.append(child.record) }
      guard let member = state.value.members.removeValue(forKey: record) else { continue }
      let count = translation.value.count(ofRecord: record)
      member.node.lose()
      tell(member, ChangeSet(count > 0 ? .removal(0..<count) : Delta(), updatesValue: true))
      // Elsewhere records are made when a node is read, which is no time to tell that a child has come back.
      guard translation.value.isEager || member.node.hub.isRecording else { continue }
      state.value.lost[ObjectIdentifier(member.node.source), default: []].append(member)
    }
  }

  /// Gives back to nodes that lost their child the record of the one that has come again.
  func findMembers(below records: [Int]) {
    guard !state.value.lost.isEmpty else { return }
    var open = records.map { (record: $0, node: node($0)) }
    while let (record, node) = open.popLast() {
      for (position, child) in translation.value.children(of: record) {
        if let next = node.child(at: position) { open.append((child, next)) }
      }
      guard state.value.members[record] == nil, let source = node.living.map(ObjectIdentifier.init),
        var members = state.value.lost[source]
      else { continue }
      let member = members.removeLast()
      state.value.lost[source] = members.isEmpty ? nil : members
      if !translation.value.records[record].isLoaded { load(record, node) }
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
