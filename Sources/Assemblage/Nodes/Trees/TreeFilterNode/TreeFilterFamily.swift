public import OffsetIndexing

/// The records of one filtered tree, the nodes of the source, and the parts: the data that all nodes of the filter
/// share.
///
/// If the filter knows the whole shape of a forest, it keeps no handles:
///
///     ForestNode, all of it known      record  →  number  →  branch
///     any other tree                   see `TreeSources`
///
/// So the filter need not follow branches that leave the forest, return or become leaves.
@usableFromInline
final class TreeFilterFamily<Element>: TreeFamily {
  @usableFromInline typealias Record = TreeIndex.Branch
  typealias Part = TreeFilterNode<Element>
  typealias Work = TreeFilterEdit

  /// The functions that are specialized for the element where the tree is made.
  @usableFromInline
  struct Functions {
    let reading: NodeReader<Element>.Functions
    // A mask may select some of the children or elements. The answer about the others is false.
    /// Asks a predicate about a range of a node's children; the flag is the verdict on children without a value.
    let ask: (NodeReader<Element>, Range<Int>, BitRun?, Bool, (Element) -> Bool) -> BitRun
    /// Asks a predicate about the elements of a forest, and returns a bit for each element by document number.
    let askAll: (ForestNode<Element>, BitRun?, (Element) -> Bool) -> BitRun
    /// Makes a filter of a node from known verdicts; the flag says whether children without a value pass.
    let filter: (any TreeNode<Element>, BitRun, _ valueless: Bool, @escaping (Element) -> Bool) -> FilterNode<Element>
    /// Lends the reader of a record, given the reader of the record's node in the source.
    let lend: (Cell<TreeFilterTranslation>, Record, NodeReader<Element>, (NodeReader<Element>) -> Void) -> Void

    @usableFromInline
    init(
      reading: NodeReader<Element>.Functions,
      ask: @escaping (NodeReader<Element>, Range<Int>, BitRun?, Bool, (Element) -> Bool) -> BitRun,
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
      self.askAll = askAll
    }
  }

  struct State: ~Copyable {
    var predicate: (Element) -> Bool
    /// The search that the predicate belongs to, if there is one and everything has been asked about.
    var search: AnyObject?
    /// A filter of all elements, while it computes the verdicts of another predicate in the background.
    var background: FilterNode<Element>? { willSet { if newValue !== background { background?.work = nil } } }
  }

  let functions: Functions
  let translation: Cell<TreeFilterTranslation>
  let parts = Cell(TreeParts())
  let progress = Cell(TreeProgress())
  let followers = Cell(ShapeFollowers())
  let sources: Cell<TreeSources<Element>>
  let state: Cell<State>

  init(
    _ source: any TreeNode<Element>, _ policy: TreeFilterPolicy, _ predicate: @escaping (Element) -> Bool,
    _ functions: Functions
  ) {
    self.functions = functions
    translation = Cell(TreeFilterTranslation(policy: policy))
    let forest = policy == .hidingSubtrees ? nil : source as? ForestNode<Element>
    sources = Cell(
      TreeSources(
        source, forest.map { $0 as any BranchTree<Element> } ?? source.branchTree, forest == nil ? .nodes : .none))
    state = Cell(State(predicate: predicate))
  }

  deinit {
    translation.destroy()
    parts.destroy()
    progress.destroy()
    followers.destroy()
    sources.destroy()
    state.destroy()
  }

  /// The tree, if it is a forest and each of its branches has a record.
  var forest: ForestNode<Element>? { sources.value.isKept ? nil : sources.value.forest }

  var policy: TreeFilterPolicy { translation.value.policy }

  // With `.hidingSubtrees`, records are made when a node is read. A reading must not report that a child has returned.
  var findsAgain: Bool { translation.value.isEager }

  func lendReader(of record: Record, over source: NodeReader<Element>, to body: (NodeReader<Element>) -> Void) {
    functions.lend(translation, record, source, body)
  }

  /// The source's node of an attached record. All changes on the way from the root to the record have been translated.
  ///
  /// - Complexity: O(1); in a forest O(d · log n) for a record at depth d.
  func node(_ record: Record) -> SourceBranch {
    guard let forest else { return sources.value.node(record) }
    var branch = forest.branch
    let shape = forest.shape
    for position in translation.value.path(of: record)! {
      guard let child = shape.branch(at: position, of: branch) else { trapLeaf() }
      branch = child
    }
    return .branch(branch)
  }

  /// The source's node of a record, if everything before the record, in document order, has been translated.
  ///
  /// In a forest, both shapes are the same up to this record, so that the record's number leads to the branch.
  ///
  /// - Complexity: O(1); in a forest O(log n), at any depth.
  func numberedNode(_ record: Record) -> SourceBranch {
    guard let forest else { return sources.value.node(record) }
    if record == TreeIndex.root { return .branch(forest.branch) }
    guard let branch = forest.branch(ofDescendant: translation.value.shape.number(of: record)) else { trapLeaf() }
    return .branch(branch)
  }

  private func trapLeaf() -> Never {
    trap("TreeFilterNode: a ForestNode has a leaf where according to its changes it has a branch.")
  }

  /// The verdicts of the predicate on a range of a node's children, or on the children that a mask selects; false on
  /// the others.
  func ask(_ node: SourceBranch, _ range: Range<Int>, among mask: BitRun? = nil) -> BitRun {
    let predicate = state.value.predicate
    return sources.value.reading(node) { functions.ask($0, range, mask, policy.valueless, predicate) }
  }

  // MARK: Loading

  /// Looks at the whole tree.
  func loadAll() {
    guard let forest, forest.isRoot, !forest.isElement else { return load(TreeIndex.root) }
    translation.value.copyShape(of: forest.shape, childrenOf: forest.branch)
    var sweep = TreeFilterSweep(translation.value.shape, passing: functions.askAll(forest, nil, state.value.predicate))
    translation.value.show(&sweep, isNew: true)
  }

  func load(_ record: Record) {
    if !translation.value[record].isLoaded { load(record, node(record)) }
  }

  /// Looks at a node's children, and at everything below if all of it is to be known.
  ///
  /// - Complexity: O(n) for the n children of all these nodes; the predicate is called for each child.
  func load(_ first: Record, _ node: SourceBranch) {
    var open = [(record: first, node: node)]
    var order: [Record] = []
    while let (record, node) = open.popLast() {
      order.append(record)
      if !translation.value[record].isLoaded {
        let verdicts = ask(node, 0..<sources.value.count(node))
        translation.value.fill(record, verdicts)
      }
      guard translation.value.isEager || translation.value[record].isWhole else { continue }
      makeRecordsOfChildren(node, record, &open)
    }
    for record in order.reversed() { translation.value.sumUp(record) }
  }

  /// Makes the records of a node's children that need one and have none yet.
  ///
  /// The children that have to be loaded are added to `open`.
  private func makeRecordsOfChildren(
    _ node: SourceBranch, _ record: Record, _ open: inout [(record: Record, node: SourceBranch)]
  ) {
    let isEager = translation.value.isEager
    let verdicts = translation.value.passes(in: record)
    let known = translation.value.children(of: record)
    for child in known {
      translation.value[child.branch].isWhole = true
      open.append((child.branch, self.node(child.branch)))
    }
    let isKnown = Set(known.map(\.position))
    let isWanted = { (isEager || verdicts[$0]) && !isKnown.contains($0) }
    for (position, child) in sources.value.children(
      in: 0..<verdicts.count, of: node, where: isEager && known.isEmpty ? nil : isWanted)
    {
      open.append((makeRecord(child, at: position, of: record, isMatch: verdicts[position]), child))
    }
  }

  /// Makes the record of a child that is a node and whose children have not been looked at.
  func makeRecord(_ node: SourceBranch, at position: Int, of parent: Record, isMatch: Bool) -> Record {
    let record = translation.value.makeRecord(
      at: position, of: parent, isMatch: isMatch, showsAll: showsAll(below: parent, isMatch: isMatch))
    sources.value.insert(node, for: record)
    return record
  }

  /// Whether all children of a node are shown, given the node's parent and whether the node matches.
  func showsAll(below parent: Record, isMatch: Bool) -> Bool {
    policy == .keepingDescendants && (isMatch || translation.value[parent].showsAll)
  }

  /// Counts the matches below a node, and looks at everything below for this.
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

  func record(ofChild position: Int, of parent: Record) -> Record? {
    if let known = translation.value.record(ofChild: position, of: parent) {
      // A node may have become a leaf after it had reported the loss of its children.
      if translation.value.childCount(of: known) > 0 { return known }
      return sources.value.child(at: position, of: numberedNode(parent)) == nil ? nil : known
    }
    // Under the policies that keep ancestors, every node has a record.
    guard !translation.value.isEager, let child = sources.value.child(at: position, of: node(parent)) else {
      return nil
    }
    let record = makeRecord(child, at: position, of: parent, isMatch: true)
    // The matches below have not been counted.
    translation.value[record].isWhole = false
    return record
  }

  func findParts(_ work: TreeFilterEdit) {
    if work.fresh.isEmpty || parts.value.lost.isEmpty { return }
    for first in work.fresh where translation.value.contains(first) {
      for record in [first] + translation.value.records(below: first) {
        guard let source = sources.value.living(numberedNode(record)) else { continue }
        load(record)
        findPart(record, showing: ObjectIdentifier(source))
      }
    }
  }
}

extension ForestNode {
  /// A descendant of this node that is a branch, by its number among the descendants; nil for a leaf.
  func branch(ofDescendant number: Int) -> TreeIndex.Branch? {
    let start = branch == top ? 0 : shape.descendants(of: branch).lowerBound
    return shape.depth(ofNumber: start + number, in: top).branch
  }
}
