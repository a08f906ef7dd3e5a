// swift-tools-version: 6.2
import PackageDescription

/// Programs that use only tpick's library products.
let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"), .treatAllWarnings(as: .error),
]

func product(_ name: String) -> Target.Dependency { .product(name: name, package: "tpick") }

let package = Package(
  name: "examples",
  dependencies: [.package(name: "tpick", path: "../..")],
  targets: [
    .executableTarget(
      name: "PhotoWall",
      dependencies: [product("FolderLibrary"), product("Imaging"), product("TerminalGraphics")],
      path: "PhotoWall", swiftSettings: settings),
    .executableTarget(
      name: "PickAndPrint", dependencies: [product("PhotoPicker")], path: "PickAndPrint",
      swiftSettings: settings),
    .executableTarget(
      name: "Newcomer", dependencies: [product("PhotoPicker")], path: "Newcomer", swiftSettings: settings),
    .executableTarget(
      name: "Tasks", dependencies: [product("PhotoPicker")], path: "Tasks", swiftSettings: settings),
    // The programs of the tutorials.
    .executableTarget(
      name: "Wall", dependencies: [product("PhotoPicker"), product("Imaging"), product("TerminalGraphics")],
      path: "Wall", swiftSettings: settings),
    .executableTarget(
      name: "Chat", dependencies: [product("PhotoPicker")], path: "Chat", swiftSettings: settings),
    .executableTarget(
      name: "Thumbnailer", dependencies: [product("PhotoPicker"), product("Imaging")], path: "Thumbnailer",
      swiftSettings: settings),
    .executableTarget(
      name: "WebPhotos", dependencies: [product("PhotoPicker")], path: "WebPhotos", swiftSettings: settings),
    .executableTarget(
      name: "SeveralPickers", dependencies: [product("PhotoPicker")], path: "SeveralPickers",
      swiftSettings: settings),
    .executableTarget(
      name: "PartOfScreen", dependencies: [product("PhotoPicker"), "CCurses"], path: "PartOfScreen",
      swiftSettings: settings),
    // ncurses, for the program with a screen of its own.
    .systemLibrary(name: "CCurses", path: "CCurses", providers: [.apt(["libncurses-dev"])]),
    // Code of the articles that no other program needs.
    .executableTarget(
      name: "ArticleCode", dependencies: [product("FolderLibrary"), product("PhotoPicker")],
      path: "ArticleCode", swiftSettings: settings),
  ]
)
