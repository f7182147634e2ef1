// The types of Foundation that the library's interface uses. They are exported, so neither the library's files nor
// its clients' files import Foundation for them. The smaller module is preferred where it exists.
#if canImport(FoundationEssentials)
  @_exported public import struct FoundationEssentials.IndexPath
  @_exported public import enum FoundationEssentials.SortOrder
#else
  @_exported public import struct Foundation.IndexPath
  @_exported public import enum Foundation.SortOrder
#endif
