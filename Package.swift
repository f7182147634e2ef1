// swift-tools-version: 6.2
import PackageDescription

/// The settings of every target: no warnings, no implicit existentials, imports or memory unsafety.
let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("ImmutableWeakCaptures"),
  .enableUpcomingFeature("InferIsolatedConformances"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
]

/// The settings of the tests: in release, the libraries are optimized and the tests are not, which would take longer
/// than to run them.
let testing: [SwiftSetting] = strict + [.unsafeFlags(["-Onone"], .when(configuration: .release))]

let package = Package(
  name: "Assemblage",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "OffsetIndexing", targets: ["OffsetIndexing"]),
    .library(name: "Assemblage", targets: ["Assemblage"]),
    .library(name: "AssemblageSearch", targets: ["AssemblageSearch"]),
    .library(name: "AssemblageWidgets", targets: ["AssemblageWidgets"]),
    .library(name: "AssemblageUIKit", targets: ["AssemblageUIKit"]),
    .library(name: "AssemblageAppKit", targets: ["AssemblageAppKit"]),
    .library(name: "AssemblageCoreData", targets: ["AssemblageCoreData"]),
    .library(name: "AssemblageSwiftUI", targets: ["AssemblageSwiftUI"]),
    .library(name: "AssemblageTesting", targets: ["AssemblageTesting"]),
    .executable(name: "fuzz", targets: ["fuzzer"]),
    .executable(name: "outline", targets: ["outline"]),
    .executable(name: "benchmark", targets: ["benchmark"]),
  ],
  traits: [
    .trait(
      name: "InternalChecks",
      description: "Checks every structure's invariants after each mutation. Slow; for tests.")
  ],
  targets: [
    .target(name: "OffsetIndexing", swiftSettings: strict),
    .target(name: "Assemblage", dependencies: ["OffsetIndexing"], swiftSettings: strict),
    .target(name: "AssemblageSearch", dependencies: ["Assemblage", "OffsetIndexing"], swiftSettings: strict),
    .target(name: "AssemblageWidgets", dependencies: ["Assemblage"], swiftSettings: strict),
    .target(
      name: "AssemblageTerminal", dependencies: ["Assemblage", "AssemblageSearch", "AssemblageWidgets"],
      swiftSettings: strict),
    .target(name: "AssemblageUIKit", dependencies: ["Assemblage", "AssemblageWidgets"], swiftSettings: strict),
    .target(name: "AssemblageAppKit", dependencies: ["Assemblage", "AssemblageWidgets"], swiftSettings: strict),
    .target(name: "AssemblageCoreData", dependencies: ["Assemblage"], swiftSettings: strict),
    .target(name: "AssemblageSwiftUI", dependencies: ["Assemblage"], swiftSettings: strict),
    .target(
      name: "AssemblageTesting", dependencies: ["Assemblage", "AssemblageWidgets"], swiftSettings: strict),
    .target(
      name: "AssemblageFuzzing",
      dependencies: ["Assemblage", "AssemblageSearch", "AssemblageTesting", "AssemblageWidgets", "CommandSupport"],
      swiftSettings: strict),
    .target(name: "CommandSupport", swiftSettings: strict),
    .executableTarget(name: "fuzzer", dependencies: ["AssemblageFuzzing"], swiftSettings: strict),
    .executableTarget(
      name: "outline", dependencies: ["Assemblage", "AssemblageSearch", "AssemblageTerminal", "CommandSupport"],
      swiftSettings: strict),
    .executableTarget(
      name: "benchmark",
      dependencies: ["Assemblage", "AssemblageSearch", "AssemblageWidgets", "CommandSupport", "OffsetIndexing"],
      path: "Benchmarks/benchmark", swiftSettings: strict),

    .target(
      name: "TestSupport", dependencies: ["Assemblage", "AssemblageTesting", "OffsetIndexing"],
      path: "Tests/TestSupport", swiftSettings: testing),
    .testTarget(name: "TestSupportTests", dependencies: ["TestSupport"], swiftSettings: testing),
    .testTarget(
      name: "OffsetIndexingTests", dependencies: ["OffsetIndexing", "TestSupport"],
      swiftSettings: testing),
    .testTarget(
      name: "AssemblageTests",
      dependencies: ["Assemblage", "AssemblageTesting", "OffsetIndexing", "TestSupport"],
      swiftSettings: testing),
    .testTarget(
      name: "AssemblageSearchTests", dependencies: ["Assemblage", "AssemblageSearch", "TestSupport"],
      swiftSettings: testing),
    .testTarget(
      name: "AssemblageTestingTests",
      dependencies: ["Assemblage", "AssemblageTesting", "TestSupport"],
      swiftSettings: testing),
    .testTarget(
      name: "AssemblageFuzzingTests",
      dependencies: [
        "Assemblage", "AssemblageFuzzing", "AssemblageTesting", "AssemblageWidgets", "TestSupport", "fuzzer",
      ],
      swiftSettings: testing),
    .testTarget(
      name: "AssemblageWidgetsTests",
      dependencies: ["Assemblage", "AssemblageTesting", "AssemblageWidgets", "TestSupport"],
      swiftSettings: testing),
    .testTarget(
      name: "AssemblageSwiftUITests",
      dependencies: ["Assemblage", "AssemblageSwiftUI", "AssemblageTesting", "TestSupport"],
      swiftSettings: testing),
    .testTarget(
      name: "AssemblageTerminalTests",
      dependencies: ["Assemblage", "AssemblageSearch", "AssemblageTerminal", "TestSupport"],
      swiftSettings: testing),
    .testTarget(name: "CommandSupportTests", dependencies: ["CommandSupport"], swiftSettings: testing),
    .testTarget(
      name: "OutlineTests", dependencies: ["AssemblageTerminal", "CommandSupport", "outline", "TestSupport"],
      swiftSettings: testing),
    .testTarget(
      name: "BenchmarkTests", dependencies: ["benchmark", "TestSupport"], swiftSettings: testing),
  ]
)

#if os(Linux)
  // What Apple's systems alone have is replaced with stubs, so that the adapters are compiled and driven here too. Their
  // files are those of Sources, by links; Apple's modules are the stubs by another name.
  for framework in ["UIKit", "AppKit", "CoreData", "SwiftUI"] {
    let stub = "\(framework)Stub"
    package.targets += [
      .target(name: stub, path: "Tests/AppleStubs/\(stub)", swiftSettings: testing),
      .target(
        name: "Checked\(framework)", dependencies: ["Assemblage", "AssemblageWidgets", .target(name: stub)],
        path: "Tests/Adapters/Checked\(framework)",
        swiftSettings: testing + [.unsafeFlags(["-module-alias", "\(framework)=\(stub)"])]),
    ]
  }
  package.targets.append(
    .testTarget(
      name: "AdapterTests",
      dependencies: [
        "Assemblage", "AssemblageTesting", "AssemblageWidgets", "AppKitStub", "CheckedAppKit", "CheckedCoreData",
        "CheckedSwiftUI", "CheckedUIKit", "CoreDataStub", "SwiftUIStub", "TestSupport", "UIKitStub",
      ],
      swiftSettings: testing))
#endif
