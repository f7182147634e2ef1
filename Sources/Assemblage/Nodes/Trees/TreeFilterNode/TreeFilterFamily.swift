public import OffsetIndexing

/// What the nodes of one filtered tree have in common: the records, the nodes of the source, and which node shows
/// which.
@usableFromInline
final class TreeFilterFamily<Element>: TreeFamily {
  @usableFromInline typealias Record = TreeIndex.Branch
  typealias Part = TreeFilterNode<Element>
  typealias Node = TreeFilterSources<Element>.Node

  /// What has to be specialized for the element where the tree is made.
  @usableFromInline
  struct Functions {
    let reading: NodeReader<Element>.Functions
    // Of some children that a mask may name; the answer on others is false.
    /// Asks a predicate about a range of a node's children; the flag says what children without a value get.
    let ask: (NodeReader<Element>, Range<Int>, BitRun?, Bool, (Element) -> Bool) -> BitRun
    /// Asks a predicate about a range of the children of a branch of a forest.
    let askBranch: (ForestNode<Element>, TreeIndex.Branch, Range<Int>, BitRun?, (Element) -> Bool) -> BitRun
    /// Asks a predicate about the elements of a forest, and returns a bit for each by document number.
    let askAll: (ForestNode<Element>, BitRun?, (Element) -> Bool) -> BitRun
    /// Makes a filter of a node, whose verdicts are known; it is told whether children without a value pass.
    let filter: (any TreeNode<Element>, BitRun, _ valueless: Bool, @escaping (Element) -> Bool) -> FilterNode<Element>
    /// Lends what reads a record, of which the node of the source is read by another reader.
    let lend: (Cell<TreeFilterTranslation>, Record, NodeReader<Element>, (NodeReader<Element>) -> Void) -> Void

    @usableFromInline
    init(
      reading: NodeReader<Element>.Functions,
      ask: @escaping (NodeReader<Element>, Range<Int>, BitRun?, Bool, (Element) -> Bool) -> BitRun,
      askBranch:
        @escaping (ForestNode<Element>, TreeIndex.Branch, Range<Int>, BitRun?, (Element) -> Bool) -> BitRun,
      askAll: @escaping (ForestNode<Element>, BitRun?, (Element) -> Bool) -> BitRun,
      filter:
        @escaping (any TreeNode<Element>, BitRun, _ valueless: Bool, @escaping (Element) -> Bool) -> FilterNode<Element>,
      lend:
        @escaping (Cell<TreeFilterTranslation>, Record, NodeReader<Element>, (NodeReader<Element>) -> Void) -> Void
    ) {
      self.reading = reading
      self.lend = lend
      self.filter = filter
      self.ask = ask
      self.askBranch = askBranch
      self.askAll = askAll
    }
  }

  struct State: ~Copyable {
    var sources: TreeFilterSources<Element>
    var predicate: (Element) -> Bool
    /// The search that the predicate comes from, where it comes from one and everything has been asked.
    var search: AnyObject?
    /// Another predicate, while its verdicts are found in the background.
    var background: TreeFilterBackground<Element>?

    init(_ sources: TreeFilterSources<Element>, predicate: @escaping (Element) -> Bool) {
      self.sources = sources
      self.predicate = predicate
    }
  }

  let functions: Functions
  let number = SerialNumber.next()
  let translation: Cell<TreeFilterTranslation>
  let parts = Cell(TreeParts())
  let progress = Cell(TreeProgress())
  let followers = Cell(ShapeFollowers())
  let following = Cell(TreeFilterFollowing())
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
    parts.destroy()
    progress.destroy()
    followers.destroy()
    following.destroy()
    state.value.sources.destroy()
    state.destroy()
  }

  var policy: TreeFilterPolicy { translation.value.policy }

  // Elsewhere records are made when a node is read, which is no time to tell that a child has come back.
  var findsAgain: Bool { translation.value.isEager }

  /// The node of an attached record; of a record that the changes on the way to it have been translated for.
  ///
  /// - Complexity: O(1); in a forest O(d · log n) at depth d.
  func node(_ record: Record) -> Node {
    if let kept = state.value.sources.kept(record) { return kept }
    if let away = nodeAway(record) { return away }
    let forest = state.value.sources.forest!
    var branch = forest.branch
    let shape = forest.shape
    for position in translation.value.sourcePath(of: record)! {
      guard let child = shape.branch(at: position, of: branch) else {
        trap("TreeFilterNode: a ForestNode has a leaf where according to what it told it has a branch.")
      }
      branch = child
    }
    return .branch(forest, shape, branch)
  }

  /// The node of a record that is away with a branch of a forest, or below it; nil for one that is not.
  ///
  /// - Complexity: O(1) where nothing is away; otherwise O(d · log n) at depth d.
  private func nodeAway(_ record: Record) -> Node? {
    if state.value.sources.away.isEmpty { return nil }
    var path: [Int] = []
    var record = record
    while true {
      if let top = state.value.sources.kept(record) {
        return path.reversed().reduce(top) { node, position in node?.child(at: position) }
      }
      guard let parent = translation.value.shape.parent(of: record) else { return nil }
      path.append(translation.value.position(of: record))
      record = parent
    }
  }

  /// Calls a closure with what reads the children of a record's node, when all changes have been translated.
  ///
  /// - Complexity: O(1); in a forest O(log n), however deep it is.
  func reading(_ record: Record, _ body: (NodeReader<Element>) -> Void) {
    guard let forest = state.value.sources.forest else { return state.value.sources.nodes.reading(record, body) }
    if let away = nodeAway(record) { return body(away.object.reader) }
    forest.lendReader(of: branch(record, in: forest), to: body)
  }

  /// The branch of a forest that an attached record stands for, when all changes have been translated.
  private func branch(_ record: Record, in forest: ForestNode<Element>) -> TreeIndex.Branch {
    if record == TreeIndex.root { return forest.branch }
    // Both shapes are the same then, so that a number leads to the branch.
    guard let place = forest.place(ofDescendant: translation.value.shape.number(of: record)) else {
      trap("TreeFilterNode: a ForestNode has a leaf where according to what it told it has a branch.")
    }
    return place.branch
  }

  /// What the predicate says of a range of a node's children, or of those that a mask names; on others that is nothing.
  func ask(_ node: Node, _ range: Range<Int>, among mask: BitRun? = nil) -> BitRun {
    let predicate = state.value.predicate
    return switch node {
    case .object(let object): functions.ask(object.reader, range, mask, policy.valueless, predicate)
    case .branch(let forest, _, let branch): functions.askBranch(forest, branch, range, mask, predicate)
    case .handle(let tree, let branch):
      tree.reading(branch) { functions.ask($0, range, mask, policy.valueless, predicate) }
    }
  }

  // MARK: Loading

  /// Looks at the whole tree.
  func loadAll() {
    guard let forest = state.value.sources.forest, forest.isRoot, !forest.isElement else {
      return load(TreeIndex.root, node(TreeIndex.root))
    }
    translation.value.copyShape(of: forest.shape, childrenOf: forest.branch)
    var sweep = TreeFilterSweep(translation.value.shape, passing: functions.askAll(forest, nil, state.value.predicate))
    translation.value.show(&sweep, isNew: true)
  }

  /// Makes the record of a child that is a node; its children have not been looked at.
  func makeRecord(
    _ node: Node, at position: Int, of parent: Record, isMatch: Bool, showsAll: Bool, isWhole: Bool
  ) -> Record {
    let record = translation.value.makeRecord(
      at: position, of: parent, isMatch: isMatch, showsAll: showsAll, isWhole: isWhole)
    state.value.sources.insert(node, for: record)
    return record
  }

  /// Looks at a node's children, and, where everything below is to be known, at that.
  ///
  /// - Complexity: O(n) for the n children of all these nodes; the predicate is called for each.
  func load(_ first: Record, _ node: Node) {
    var open = [(record: first, node: node)]
    var order: [Record] = []
    while let (record, node) = open.popLast() {
      order.append(record)
      if !translation.value[record].isLoaded {
        let verdicts = ask(node, 0..<node.count)
        translation.value.fill(record, verdicts)
      }
      guard translation.value.isEager || translation.value[record].isWhole else { continue }
      makeRecordsOfChildren(node, record, &open)
    }
    for record in order.reversed() { translation.value.sumUp(record) }
  }

  /// Makes the records of a node's children that have none yet, as far as they are needed. Those that have to be loaded
  /// come to `open`.
  private func makeRecordsOfChildren(_ node: Node, _ record: Record, _ open: inout [(record: Record, node: Node)]) {
    let isWhole = translation.value[record].isWhole
    let isEager = translation.value.isEager
    let verdicts = translation.value.passes(in: record)
    let known = translation.value.children(of: record)
    for child in known {
      translation.value[child.branch].isWhole = true
      open.append((child.branch, self.node(child.branch)))
    }
    let isKnown = Set(known.map(\.position))
    for (position, child) in node.children(
      in: 0..<verdicts.count, where: { (isEager || verdicts[$0]) && !isKnown.contains($0) })
    {
      let isMatch = verdicts[position]
      let fresh = makeRecord(
        child, at: position, of: record, isMatch: isMatch, showsAll: showsAll(below: record, isMatch: isMatch),
        isWhole: isWhole)
      open.append((fresh, child))
    }
  }

  /// Whether all children of a node are shown, for its parent and whether it matches.
  func showsAll(below parent: Record, isMatch: Bool) -> Bool {
    policy == .keepingDescendants && (isMatch || translation.value[parent].showsAll)
  }

  /// Counts the matches below a node; what has not been looked at is, now.
  func makeWhole(_ record: Record) {
    guard !translation.value.isEager, !translation.value[record].isWhole else { return }
    translation.value[record].isWhole = true
    let former = translation.value[record].matchCount
    load(record, node(record))
    if let parent = translation.value.parent(of: record),
      translation.value[parent].shown[translation.value.position(of: record)]
    {
      translation.value.grow(parent, by: translation.value[record].matchCount - former)
    }
  }

  // MARK: The nodes of children

  /// The record of a child, made where there is none; nil where the child is a leaf.
  ///
  /// - Parameters:
  ///   - position: the child's position in the source.
  ///   - parent: its parent's record.
  /// - Returns: the record, or nil.
  func record(ofChild position: Int, of parent: Record) -> Record? {
    if let known = translation.value.record(ofChild: position, of: parent) {
      // A node may have become a leaf after it had told that it lost its children.
      return translation.value.childCount(of: known) == 0 && node(parent).child(at: position) == nil ? nil : known
    }
    // Where matches are searched for, every node has a record.
    guard !translation.value.isEager, let node = node(parent).child(at: position) else { return nil }
    return makeRecord(node, at: position, of: parent, isMatch: true, showsAll: false, isWhole: false)
  }

  /// The node that shows a record, made when it is first asked for.
  func node(_ record: Record, root: TreeFilterNode<Element>) -> TreeFilterNode<Element> {
    if record == TreeIndex.root { return root }
    if let part = part(record) { return part }
    let source: any TreeNode<Element> =
      if let forest = state.value.sources.forest {
        nodeAway(record)?.object ?? forest.node(of: branch(record, in: forest))
      } else {
        state.value.sources.nodes.object(record)
      }
    let node = TreeFilterNode(self, record: record, source: source, root: root)
    insert(node, for: record)
    return node
  }

  func hold(_ node: any TreeNode, for record: Record) { state.value.sources.hold(node, for: record) }

  func takeSource(of record: Record) -> (any TreeNode<Element>)? {
    following.value.hiding?.forget(record: record)
    return state.value.sources.remove(record)
  }

  /// Gives back to nodes that lost their child the record of the one that has come again.
  func findMembers(below records: [Record]) {
    guard !parts.value.lost.isEmpty else { return }
    var open = records.map { (record: $0, node: node($0)) }
    while let (record, node) = open.popLast() {
      for (position, child) in translation.value.children(of: record) {
        if let next = node.child(at: position) { open.append((child, next)) }
      }
      guard let source = node.living.map(ObjectIdentifier.init) else { continue }
      findMember(record, showing: source) {
        if !translation.value.isLoaded(record) { load(record, node) }
      }
    }
  }
}
