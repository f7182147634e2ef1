// swift-tools-version: 6.2
import PackageDescription

/// The settings of Assemblage itself, without strict memory safety: GTK passes and returns pointers, so each call of
/// GTK would need a mark. GTK belongs to the main thread. All code that is not marked `nonisolated` belongs there, too.
let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("ImmutableWeakCaptures"),
  .enableUpcomingFeature("InferIsolatedConformances"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .defaultIsolation(MainActor.self),
  .treatAllWarnings(as: .error),
]

let package = Package(
  name: "GTKExample",
  platforms: [.macOS(.v15)],
  products: [.library(name: "AssemblageGTK", targets: ["AssemblageGTK"])],
  dependencies: [.package(name: "Assemblage", path: "../../..")],
  targets: [
    .systemLibrary(name: "CGTK", pkgConfig: "gtk4", providers: [.apt(["libgtk-4-dev"]), .brew(["gtk4"])]),
    .target(name: "CListModel", dependencies: ["CGTK"]),
    .target(
      name: "AssemblageGTK",
      dependencies: [
        "CGTK", "CListModel",
        .product(name: "Assemblage", package: "Assemblage"),
        .product(name: "AssemblageWidgets", package: "Assemblage"),
      ], swiftSettings: strict),
    .executableTarget(
      name: "browser",
      dependencies: [
        "AssemblageGTK", "CGTK",
        .product(name: "Assemblage", package: "Assemblage"),
        .product(name: "AssemblageSearch", package: "Assemblage"),
        .product(name: "AssemblageWidgets", package: "Assemblage"),
      ], swiftSettings: strict),
  ]
)
