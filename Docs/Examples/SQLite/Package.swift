// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "SQLiteExample",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Assemblage", path: "../../..")],
  targets: [
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite3"])]),
    .executableTarget(
      name: "pages", dependencies: ["CSQLite", .product(name: "Assemblage", package: "Assemblage")],
      swiftSettings: [.swiftLanguageMode(.v6), .enableUpcomingFeature("NonisolatedNonsendingByDefault")]),
  ]
)
