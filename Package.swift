// swift-tools-version: 6.2
import PackageDescription

/// One block of settings for every Swift target: the Swift 6 language mode is the tools version's
/// default, the upcoming features tighten it, and CI turns every warning into an error.
let settings: [SwiftSetting] =
  [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ] + (Context.environment["CI"] == nil ? [] : [.treatAllWarnings(as: .error)])

let system = Target.Dependency.product(name: "SystemPackage", package: "swift-system")

let package = Package(
  name: "tpick",
  products: [
    .executable(name: "tpick", targets: ["tpick"])
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-system", from: "1.6.0"),
  ],
  targets: [
    // Values and pure functions.
    .target(name: "Pixels", swiftSettings: settings),
    .target(name: "AssetLibrary", dependencies: ["Pixels", system], swiftSettings: settings),
    .target(name: "Metadata", dependencies: ["Pixels"], swiftSettings: settings),
    .target(name: "PickerUI", dependencies: ["AssetLibrary", "Pixels"], swiftSettings: settings),

    // Effects: disks, decoders, the terminal.
    .target(
      name: "FolderLibrary", dependencies: ["AssetLibrary", "Metadata", "Pixels", system],
      swiftSettings: settings),
    .target(
      name: "Imaging", dependencies: ["AssetLibrary", "Pixels", "CJPEG"], swiftSettings: settings),
    .target(
      name: "TerminalGraphics", dependencies: ["Pixels", "CSixel"], swiftSettings: settings),
    .target(
      name: "CursesHost",
      dependencies: [
        "PickerUI", "AssetLibrary", "Pixels", "TerminalGraphics", "CNcurses", "CTerminalGuard",
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "tpick",
      dependencies: [
        "AssetLibrary", "CursesHost", "FolderLibrary", "Imaging", "Metadata", "PickerUI", "Pixels",
        "TerminalGraphics", system,
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: settings),

    // C libraries and the C that cannot be written in Swift.
    .target(name: "CJPEG", linkerSettings: [.linkedLibrary("jpeg")]),
    .target(name: "CTerminalGuard"),
    .systemLibrary(
      name: "CSixel", pkgConfig: "libsixel", providers: [.apt(["libsixel-dev"])]),
    .systemLibrary(name: "CNcurses", providers: [.apt(["libncurses-dev"])]),

    // Tests.
    .systemLibrary(
      name: "CVTerm", path: "Tests/Support/CVTerm", providers: [.apt(["libvterm-dev"])]),
    .target(
      name: "TestTerminal", dependencies: ["CVTerm", "CSixel"], path: "Tests/Support/TestTerminal",
      swiftSettings: settings),
    .target(
      name: "Fixtures", dependencies: ["Pixels", "Imaging", "Metadata"], path: "Tests/Support/Fixtures",
      swiftSettings: settings),
    .testTarget(
      name: "PixelsTests", dependencies: ["Pixels", "Fixtures"], swiftSettings: settings),
    .testTarget(
      name: "AssetLibraryTests", dependencies: ["AssetLibrary", "Fixtures", "Pixels", system],
      swiftSettings: settings),
    .testTarget(
      name: "MetadataTests", dependencies: ["Metadata", "Fixtures", "Pixels"],
      swiftSettings: settings),
    .testTarget(
      name: "FolderLibraryTests",
      dependencies: ["FolderLibrary", "AssetLibrary", "Fixtures", "Pixels", system],
      swiftSettings: settings),
    .testTarget(
      name: "ImagingTests", dependencies: ["Imaging", "AssetLibrary", "Fixtures", "Pixels", system],
      swiftSettings: settings),
    .testTarget(
      name: "TerminalGraphicsTests",
      dependencies: ["TerminalGraphics", "Fixtures", "Pixels", "CSixel", "TestTerminal"],
      swiftSettings: settings),
    .testTarget(
      name: "PickerUITests", dependencies: ["PickerUI", "AssetLibrary", "Fixtures", "Pixels", system],
      swiftSettings: settings),
    .testTarget(
      name: "EndToEndTests",
      dependencies: ["tpick", "TestTerminal", "Fixtures", "Imaging", "Pixels"],
      swiftSettings: settings),
  ]
)
