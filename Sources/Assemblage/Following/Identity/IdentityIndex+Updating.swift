// Updates that the owner of the data reports by id.
extension IdentityIndex {
  /// Reports that the elements with some ids have changed, as one transaction.
  ///
  /// For each place of these elements, the node that owns the place reports an update. So filters ask again and sorts
  /// move the row. The method is for changes outside an element, in the object, the database row or the file to which
  /// the element refers.
  ///
  /// ```swift
  /// let tracks = ArrayNode([3, 1, 2])                       // ids
  /// let loud = FilterNode(tracks) { volumes[$0]! > 5 }
  /// let index = IdentityIndex(of: tracks, id: { $0 })
  /// volumes[1] = 9
  /// index.update([1])                                       // loud shows it
  /// ```
  ///
  /// An `UndoLog` does not record the update, and a rollback keeps the update. A node whose children cannot be written
  /// reports nothing, except a source of the library itself, for example a `ProviderNode`.
  ///
  /// - Parameter ids: any ids; an id without an element is ignored, and an id that occurs twice counts once.
  /// - Complexity: O(d · log n), and the propagation, for each place of depth d; O(n) more for n elements of the
  ///   sources in a transaction that has changed a source and has read no view since.
  public func update(_ ids: some Sequence<ID>) {
    let graph = node.hub.graph
    node.performUpdates {
      var updates = ElementUpdates<Element>()
      var ids = Set(ids)
      if graph.isUnsettled {
        // A look-up in the index would settle the graph, and a sort would compare with rows that have changed and not
        // moved.
        let wanted = ids
        updates.add(inSourcesOf: node) { element in
          let own = node.hub.refusingChanges { id(element) }
          if wanted.contains(own) { ids.remove(own) }
          return wanted.contains(own)
        }
        updates.announce(in: graph)
        updates = ElementUpdates()
      }
      for id in ids {
        for path in paths(of: id) { node.child(at: path.dropLast()).map { updates.add(path.last!, in: $0) } }
      }
      updates.announce(in: graph)
    }
  }

  /// Reports an update of the element with each id that a sequence yields: see `update(_:)`.
  ///
  /// ```swift
  /// let task = Task {
  ///   await index.update(each: NotificationCenter.default.notifications(named: .trackChanged).map { $0.trackID })
  /// }
  /// ```
  ///
  /// The method returns when the sequence ends, which many sequences do when the task is cancelled. The index is kept
  /// alive until then.
  ///
  /// - Parameters:
  ///   - ids: the sequence, for example of notifications, or a stream that a database feeds.
  ///   - isolation: the actor to which the node belongs, and on which this is called.
  /// - Throws: the error that the sequence throws.
  public func update<IDs: AsyncSequence>(
    each ids: IDs, isolation: isolated (any Actor)? = #isolation
  ) async throws(IDs.Failure) where IDs.Element == ID {
    var iterator = ids.makeAsyncIterator()
    while let id = try await iterator.next(isolation: isolation) { update(CollectionOfOne(id)) }
  }

  /// Reports updates for batches of ids that a sequence yields, each batch as one transaction.
  ///
  /// ```swift
  /// let (batches, feed) = AsyncStream.makeStream(of: [Track.ID].self)     // any task calls feed.yield(ids)
  /// await index.update(each: batches)
  /// ```
  ///
  /// - Parameters:
  ///   - batches: the sequence.
  ///   - isolation: the actor to which the node belongs, and on which this is called.
  /// - Throws: the error that the sequence throws.
  public func update<Batches: AsyncSequence>(
    each batches: Batches, isolation: isolated (any Actor)? = #isolation
  ) async throws(Batches.Failure) where Batches.Element: Sequence<ID> {
    var iterator = batches.makeAsyncIterator()
    while let batch = try await iterator.next(isolation: isolation) { update(batch) }
  }
}
