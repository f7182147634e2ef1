public import OffsetIndexing

/// A node of a view of a tree: the root, which translates for all nodes, or the node of a child.
///
/// This file has the code that these nodes share in every kind of view. Each node declares the members for clients
/// itself.
protocol TreePart<Element>: BranchTree, ReadableNode, DerivedNode, ShapeFollower, SourcePlacing {
  associatedtype Family: TreeFamily where Family.Element == Element, Family.Part == Self

  var state: NodeCell<TreePartState<Element, Family.Translation>> { get }

  /// The family in its present state, for code that must not settle the graph.
  var storedFamily: Family { get }

  /// Creates the node of a child.
  init(_ family: Family, record: TreeIndex.Branch, source: any TreeNode<Element>, root: Self)
}

/// The record that a node of a view shows, and the node of the source, which is given up when the view's node is
/// released.
@usableFromInline
struct TreePartState<Element, Translation: TreeViewTranslation>: NodeState, ~Copyable {
  // The family's translation, which is valid for as long as the node holds the family.
  @usableFromInline let translation: Cell<Translation>
  /// The record; nil if the child has left the source.
  @usableFromInline var record: TreeIndex.Branch?
  /// Reads the source; nil until somebody has looked at the children.
  @usableFromInline var reader: NodeReader<Element>?
  @usableFromInline var source: (any TreeNode<Element>)?
  /// The root of the view; nil in the root itself.
  var root: (any TreeNode<Element>)?

  @usableFromInline
  init(
    _ translation: Cell<Translation>, record: TreeIndex.Branch, source: (any TreeNode<Element>)?,
    root: (any TreeNode<Element>)? = nil
  ) {
    self.translation = translation
    self.record = record
    self.source = source
    self.root = root
  }

  /// Lends the reader of a record, given the reader of the record's node in the source.
  @inlinable
  static func lend(
    _ translation: Cell<Translation>, _ record: TreeIndex.Branch, _ source: NodeReader<Element>,
    to body: (NodeReader<Element>) -> Void
  ) {
    var state = Self(translation, record: record, source: nil)
    state.reader = source
    NodeReader.lend(state, depth: state.depth, to: body)
  }

  @inlinable
  var count: Int { record.map { translation.value.count(of: $0) } ?? 0 }

  /// The position of a child in the source; -1 if there is no such child.
  @inlinable
  func sourcePosition(of position: Int) -> Int {
    record.map { translation.value.sourcePosition(of: position, in: $0) } ?? -1
  }

  @inlinable
  func element(at position: Int) -> Element? {
    let place = sourcePosition(of: position)
    return place < 0 ? nil : reader?.element(at: place)
  }

  @inlinable
  func origin(of position: Int) -> (reader: NodeReader<Element>, position: Int)? {
    let place = sourcePosition(of: position)
    return place < 0 ? nil : reader.map { ($0, place) }
  }

  // Inlinable like what lends a reader: a call would look up this type, for each read by path.
  @inlinable
  var depth: Int { reader.map { $0.depth + 1 } ?? 0 }

  @inlinable
  static func forEachSpan(
    in range: Range<Int>, of state: UnsafePointer<Self>, _ body: (_ start: Int, _ span: Span<Element>) -> Void
  ) {
    guard let record = unsafe state.pointee.record, let reader = unsafe state.pointee.reader, !range.isEmpty else {
      return
    }
    let translation = unsafe state.pointee.translation
    Translation.forEachSpan(in: range, of: record, translation, reader, body)
  }
}

extension TreePart {
  /// The family, brought up to date.
  @inline(__always)
  var family: Family {
    hub.settle()
    let family = storedFamily
    if family.progress.value.hasOtherHandles { family.renewHandles(in: hub) }
    return family
  }

  /// The root of the view.
  var root: Self {
    guard let root = state.value.root else { return self }
    // No root of another type is stored.
    return unsafe unsafeDowncast(root, to: Self.self)
  }

  /// Looks at the children, if nobody has looked at them yet.
  func load() {
    guard state.value.reader == nil, let record = state.value.record else { return }
    let source = state.value.source!
    source.hub.refusingChanges {
      family.load(record)
      state.value.reader = source.reader
    }
  }

  /// Shows another node of the source, for the same child.
  func show(_ source: any TreeNode<Element>) {
    state.value.source = source
    if state.value.reader != nil { state.value.reader = source.reader }
  }

  /// Shows a child that has returned; for nil shows nothing, because the child has left.
  func show(_ record: TreeIndex.Branch?) {
    state.value.record = record
    if record != nil, state.value.reader == nil { state.value.reader = state.value.source!.reader }
  }

  func surrenderSources(to references: inout [any TreeNode]) {
    let (cell, family) = (state.cell, storedFamily)
    guard let source = cell.value.source else { return }
    references.append(source)
    cell.value.source = nil
    if let root = cell.value.root {
      family.forget(self, record: cell.value.record)
      references.append(root)
      cell.value.root = nil
    } else {
      family.sources.value.stopFollowing(ObjectIdentifier(self))
      family.sources.value.removeAll(to: &references)
      family.surrender()
    }
  }

  func translate(_ changes: consuming SourceChanges) -> ChangeSet {
    let (family, progress) = (storedFamily, storedFamily.progress)
    // These are released at the end, because a release may run code of the elements.
    var released: [any TreeNode] = []
    defer { withExtendedLifetime(released) {} }
    var change: ChangeSet
    if let edit = progress.value.pending {
      progress.value.pending = nil
      if !progress.value.hasOtherHandles, let reported = family.translate(edit, of: self, &released) { return reported }
      change = family.sources.value.change(edit)
    } else {
      change = changes.takeOnlyChange(of: self)
    }
    return family.translate(change, in: hub, &released)
  }

  // MARK: Places in the source, and back

  /// Maps a path of the view to the source, or the other way round; nil if there is no such child.
  func map(_ path: IndexPath, _ mapping: PathMapping) -> IndexPath? {
    load()
    return hub.refusingChanges { family.map(path, from: state.value.record, mapping).map(IndexPath.init(indexes:)) }
  }

  /// The place where children are inserted, by its position in the source; nil if the child that this node showed has
  /// left the source.
  func owner(ofInsertionAt position: Int) -> OwnedPlace<Element>? {
    state.value.record == nil ? nil : OwnedPlace(state.value.source!, at: position)
  }
}

extension TreePart where Self: SourceView {
  /// Inserts a node into the source.
  ///
  /// If the node belongs to this view, the node that it shows is inserted instead.
  func insertIntoSource(_ node: any TreeNode<Element>, at position: Int) {
    let place = requireInsertionOwner(at: position)
    let shown = node as? Self
    place.requireWriter(for: kindName).insert(
      shown?.storedFamily === storedFamily ? shown!.state.value.source! : node, at: place.position)
  }
}

// MARK: - As a tree of handles

extension TreePart {
  var lendsHandles: Bool { state.value.root == nil && Self.lendsHandles(above: family.sources.value.handleDepth) }

  var rootBranch: Branch { TreeIndex.root }

  var handleDepth: Int { family.sources.value.handleDepth + 1 }

  @inline(__always)
  func contains(_ record: Branch) -> Bool { family.translation.value.contains(record) }

  @inline(__always)
  func childCount(of record: Branch) -> Int { family(loading: record).translation.value.count(of: record) }

  func object(of record: Branch) -> any TreeNode<Element> { family.node(record, root: self) }

  func livingNode(of record: Branch) -> (any TreeNode<Element>)? {
    record == TreeIndex.root ? self : family.part(record)
  }

  @inline(__always)
  func lendReader(of record: Branch, to body: (NodeReader<Element>) -> Void) {
    let family = family(loading: record)
    family.sources.value.lendReader(of: family.numberedNode(record)) {
      family.lendReader(of: record, over: $0, to: body)
    }
  }

  @inline(__always)
  func place(of record: Branch) -> (parent: Branch, position: Int)? { family.translation.value.place(of: record) }

  func add(_ follower: any ShapeFollower) { family.followers.value.add(follower) }

  func removeFollower(_ identity: ObjectIdentifier) { storedFamily.followers.value.remove(identity) }

  /// The family, brought up to date, after the children of a record's node have been looked at.
  @inline(__always)
  func family(loading record: Branch) -> Family {
    let family = family
    if !family.translation.value.isLoaded(record) { hub.refusingChanges { family.load(record) } }
    return family
  }
}

// MARK: - As a follower of a tree

extension TreePart {
  var followingHub: NodeHub { hub }

  func follow(_ edit: ShapeEdit) { storedFamily.progress.value.pending = edit }

  func renewHandles() {
    if storedFamily.sources.value.isKept { storedFamily.progress.value.hasOtherHandles = true }
  }

  func stopFollowing() { storedFamily.sources.value.leaveTree() }
}
