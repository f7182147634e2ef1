// What the library's interface names of Foundation. Exported, so that neither its files nor those of its clients import
// Foundation for that, and from the smaller module where it exists.
#if canImport(FoundationEssentials)
  @_exported public import struct FoundationEssentials.IndexPath
  @_exported public import enum FoundationEssentials.SortOrder
#else
  @_exported public import struct Foundation.IndexPath
  @_exported public import enum Foundation.SortOrder
#endif
