// swift-tools-version: 6.2
import PackageDescription

/// The settings of Assemblage itself, but for strict memory safety: what GTK gives and takes are pointers, so that each
/// of its calls would be marked. GTK belongs to the main thread, and so does all that is not said to be `nonisolated`.
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
