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

/// For targets that work on every pixel.
///
/// Without the optimiser they are a hundred times slower, and so would be every test that looks at a picture. Traps
/// for overflows and bounds stay.
let pixelSettings =
  settings + [.unsafeFlags(["-O"], .when(configuration: .debug))]

let system = Target.Dependency.product(name: "SystemPackage", package: "swift-system")

let toml = Target.Dependency.product(name: "TOMLKit", package: "TOMLKit")

let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")

/// What only the helper is linked with.
let helperLibraries: [Target.Dependency] = [
  "CodecProtocol", "HelperMetadata", "System", "CConfinement", "CAVFormat", "CCanvas", "CHEIF", "CHEVC",
  "CJPEG",
  "CJXL", "CPlatform", "CRAW", "CTIFF",
]

/// The fuzz targets, for builds that ask for them (Tests/Fuzzing/run): no other build has to wait for them.
let fuzzing: [Target] =
  Context.environment["TPICK_FUZZING"] == nil
  ? []
  : [
    // The helper's sources again, as a library: by a link, because no two targets may share a folder.
    .target(
      name: "HelperDecoders", dependencies: helperLibraries, path: "Tests/Fuzzing/HelperDecoders",
      exclude: ["main.swift"], swiftSettings: settings),
    .executableTarget(
      name: "fuzz",
      dependencies: [
        "AssetLibrary", "CCurl", "CPlatform", "CGIF", "CJPEG", "CJXL", "CSPNG", "CTIFF", "CWebP",
        "CodecProtocol", "Conversion", "CursesHost", "Decoding", "Fixtures", "FolderLibrary",
        "HelperDecoders", "HelperMetadata", "Imaging", "MediaFormats", "Metadata", "PickerRuntime",
        "PickerUI", "Pixels", "Rclone", "RemoteLibrary", "Rendering", "TerminalGraphics",
      ],
      path: "Tests/Fuzzing/Fuzz", swiftSettings: settings),
  ]

let package = Package(
  name: "tpick",
  products: [
    // For other programs; Docs/Architecture.md says which modules each of them is made of.
    .library(name: "AssetLibrary", targets: ["AssetLibrary"]),
    .library(name: "FolderLibrary", targets: ["FolderLibrary"]),
    .library(name: "Imaging", targets: ["Imaging"]),
    .library(name: "TerminalGraphics", targets: ["TerminalGraphics"]),
    .library(name: "PhotoPicker", targets: ["PhotoPicker"]),

    .executable(name: "tpick", targets: ["tpick"]),
    .executable(name: "tpick-codecs", targets: ["tpick-codecs"]),
    .executable(name: "tpick-reader", targets: ["tpick-reader"]),
    .executable(name: "tpick-portal", targets: ["tpick-portal"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-system", from: "1.6.0"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/LebJe/TOMLKit", from: "0.6.0"),
  ],
  targets: [
    // Values and pure functions.
    .target(name: "Pixels", swiftSettings: pixelSettings),
    .target(name: "MediaFormats", swiftSettings: settings),
    .target(name: "System", dependencies: ["CPlatform", system], swiftSettings: settings),
    .target(
      name: "AssetLibrary", dependencies: ["MediaFormats", "Pixels", "System", system],
      swiftSettings: settings),
    .target(name: "Metadata", dependencies: ["MediaFormats", "Pixels", "CXML"], swiftSettings: settings),
    .target(
      name: "Results", dependencies: ["System", "AssetLibrary", "MediaFormats", "Pixels", system],
      swiftSettings: settings),
    .target(
      name: "PickerUI", dependencies: ["System", "AssetLibrary", "MediaFormats", "Pixels"],
      swiftSettings: settings),
    .target(
      name: "Configuration",
      dependencies: ["AssetLibrary", "PickerUI", "Pixels", "Results", "TerminalGraphics", "System", toml],
      swiftSettings: settings),

    .target(
      name: "Permissions", dependencies: ["System", "AssetLibrary", "Configuration", "Imaging", system],
      swiftSettings: settings),
    .target(
      name: "Completion", dependencies: ["AssetLibrary", "MediaFormats", "PickerUI", "Results"],
      swiftSettings: settings),
    .target(
      name: "FileChooser", dependencies: ["AssetLibrary", "MediaFormats", "Results", "System"],
      swiftSettings: settings),

    .target(name: "Sandbox", swiftSettings: settings),

    // Effects: disks, decoders, the terminal.
    .target(
      name: "CodecProtocol", dependencies: ["CPlatform", "System"],
      swiftSettings: settings),
    .target(
      name: "FolderLibrary",
      dependencies: [
        "AssetLibrary", "CPlatform", "CodecProtocol", "MediaFormats", "Metadata", "Pixels", "System", system,
        grdb,
      ],
      swiftSettings: settings),
    .target(
      name: "RemoteLibrary",
      dependencies: [
        "AssetLibrary", "CPlatform", "CMD5", "CodecProtocol", "FolderLibrary", "Imaging", "Rclone", "System",
        system, grdb,
      ],
      swiftSettings: settings),
    .target(
      name: "Rclone", dependencies: ["CCurl", "CPlatform", "CMD5", "System", system],
      swiftSettings: settings),
    .target(name: "Rendering", dependencies: ["AssetLibrary", "Pixels"], swiftSettings: pixelSettings),
    .target(
      name: "Imaging",
      dependencies: [
        "AssetLibrary", "CPlatform", "CodecProtocol", "MediaFormats", "Pixels", "Rendering", "System",
        "CJPEGEncoder", "CLCMS", "CMD5", "CSPNG", system,
      ],
      swiftSettings: pixelSettings),
    .target(
      name: "Export",
      dependencies: ["AssetLibrary", "CPlatform", "MediaFormats", "Pixels", "Results", "System", system],
      swiftSettings: settings),
    .target(
      name: "Conversion",
      dependencies: [
        "System", "AssetLibrary", "CPlatform", "CodecProtocol", "Export", "Imaging", "MediaFormats",
        "Metadata", "Pixels", "Rendering", "CMD5", "CZlib", system,
      ],
      swiftSettings: pixelSettings),
    .target(
      name: "TerminalGraphics",
      dependencies: ["System", "Pixels", "CSixel", "CPlatform", "CZlib"],
      swiftSettings: pixelSettings),
    .target(
      name: "PickerRuntime",
      dependencies: ["PickerUI", "AssetLibrary", "Pixels", "TerminalGraphics", "System"],
      swiftSettings: settings),
    .target(
      name: "CursesHost",
      dependencies: [
        "System", "PickerRuntime", "PickerUI", "AssetLibrary", "Pixels", "TerminalGraphics", "CNcurses",
        "CPlatform",
      ],
      swiftSettings: settings),
    .target(
      name: "PhotoPicker",
      dependencies: [
        "System", "AssetLibrary", "CodecProtocol", "Conversion", "CursesHost", "Export", "FolderLibrary",
        "Imaging", "PickerRuntime", "PickerUI", "Pixels", "Rclone", "RemoteLibrary", "TerminalGraphics",
        system,
      ],
      swiftSettings: settings),
    .executableTarget(
      name: "tpick",
      dependencies: [
        "AssetLibrary", "CPlatform", "CSandbox", "CodecProtocol", "Completion", "Configuration", "Conversion",
        "CursesHost", "Export", "FolderLibrary", "Imaging", "MediaFormats", "Metadata", "Permissions",
        "PhotoPicker", "PickerRuntime", "PickerUI", "Pixels", "Rclone", "RemoteLibrary", "Results", "Sandbox",
        "TerminalGraphics", "System", system,
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: pixelSettings),

    // The helper that makes pictures, the only program that light libraries decode in.
    .target(
      name: "Decoding",
      dependencies: [
        "System", "AssetLibrary", "CodecProtocol", "MediaFormats", "Pixels", "Rendering", "CGIF", "CJPEG",
        "CLCMS", "CMD5", "CSPNG", "CWebP",
      ],
      swiftSettings: pixelSettings),
    .target(
      name: "HelperMetadata", dependencies: ["System", "CExpat", "CodecProtocol", "Metadata", "Pixels"],
      swiftSettings: settings),
    .executableTarget(
      name: "tpick-reader",
      dependencies: [
        "System", "AssetLibrary", "CPlatform", "CConfinement", "CMD5", "CodecProtocol", "Decoding",
        "HelperMetadata", "Pixels", "Rendering",
      ],
      swiftSettings: pixelSettings),

    // The helper for heavy formats, the only program that heavy libraries are linked into.
    .executableTarget(
      name: "tpick-codecs",
      dependencies: helperLibraries,
      swiftSettings: settings),
    .target(
      name: "CConfinement", path: "Sources/C/CConfinement", linkerSettings: [.linkedLibrary("seccomp")]),
    .target(name: "CCanvas", path: "Sources/C/CCanvas", linkerSettings: [.linkedLibrary("lcms2")]),
    .target(name: "CHEVC", dependencies: ["CAVFormat", "CHEIF"], path: "Sources/C/CHEVC"),
    .target(
      name: "CJXL", path: "Sources/C/CJXL",
      linkerSettings: [.linkedLibrary("jxl"), .linkedLibrary("jxl_threads")]),
    .target(name: "CTIFF", path: "Sources/C/CTIFF", linkerSettings: [.linkedLibrary("tiff")]),
    .target(name: "CRAW", path: "Sources/C/CRAW", linkerSettings: [.linkedLibrary("raw")]),
    .systemLibrary(
      name: "CHEIF", path: "Sources/C/CHEIF", pkgConfig: "libheif", providers: [.apt(["libheif-dev"])]),
    .systemLibrary(
      name: "CAVFormat", path: "Sources/C/CAVFormat", pkgConfig: "libavformat",
      providers: [.apt(["libavformat-dev"])]),

    // The file chooser of the desktop, the only program that the library of the bus is linked into.
    .executableTarget(
      name: "tpick-portal",
      dependencies: ["System", "AssetLibrary", "CPlatform", "CSessionBus", "FileChooser", system],
      exclude: ["Installed"], swiftSettings: settings),
    .target(name: "CSessionBus", path: "Sources/C/CSessionBus", linkerSettings: [.linkedLibrary("systemd")]),

    // C libraries and the C that cannot be written in Swift.
    .target(name: "CPlatform", path: "Sources/C/CPlatform"),
    .target(name: "CJPEG", path: "Sources/C/CJPEG", linkerSettings: [.linkedLibrary("jpeg")]),
    .target(name: "CJPEGEncoder", path: "Sources/C/CJPEGEncoder", linkerSettings: [.linkedLibrary("jpeg")]),
    // What XMP is read with, and the library behind it: only programs that are linked with that can parse.
    .target(name: "CXML", path: "Sources/C/CXML"),
    .target(
      name: "CExpat", dependencies: ["CXML"], path: "Sources/C/CExpat",
      linkerSettings: [.linkedLibrary("expat")]),
    // The static library: tpick makes filters for `run` alone, and would look for the shared one at every start.
    .target(name: "CSandbox", path: "Sources/C/CSandbox", linkerSettings: [.linkedLibrary(":libseccomp.a")]),
    // Loaded by it where it is needed, and linked with nothing.
    .target(name: "CCurl", path: "Sources/C/CCurl"),
    .systemLibrary(
      name: "CSixel", path: "Sources/C/CSixel", pkgConfig: "libsixel", providers: [.apt(["libsixel-dev"])]),
    .systemLibrary(
      name: "CSPNG", path: "Sources/C/CSPNG", pkgConfig: "spng", providers: [.apt(["libspng-dev"])]),
    .systemLibrary(
      name: "CWebP", path: "Sources/C/CWebP", pkgConfig: "libwebpdemux", providers: [.apt(["libwebp-dev"])]),
    .systemLibrary(
      name: "CGIF", path: "Sources/C/CGIF", pkgConfig: "libgif", providers: [.apt(["libgif-dev"])]),
    .systemLibrary(
      name: "CLCMS", path: "Sources/C/CLCMS", pkgConfig: "lcms2", providers: [.apt(["liblcms2-dev"])]),
    .systemLibrary(
      name: "CMD5", path: "Sources/C/CMD5", pkgConfig: "libmd", providers: [.apt(["libmd-dev"])]),

    .systemLibrary(
      name: "CZlib", path: "Sources/C/CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(name: "CNcurses", path: "Sources/C/CNcurses", providers: [.apt(["libncurses-dev"])]),

    // Measurements.
    .executableTarget(
      name: "fetch-benchmark", dependencies: ["FolderLibrary", "AssetLibrary", system],
      path: "Tests/Benchmarks/FetchBenchmark", swiftSettings: settings),

    .executableTarget(
      name: "picture-benchmark",
      dependencies: ["Imaging", "AssetLibrary", "FolderLibrary", "Pixels", system],
      path: "Tests/Benchmarks/PictureBenchmark", swiftSettings: settings),
    .executableTarget(
      name: "jpeg-floor", path: "Tests/Benchmarks/JPEGFloor", linkerSettings: [.linkedLibrary("jpeg")]),
    .executableTarget(
      name: "block-benchmark",
      dependencies: ["AssetLibrary", "FolderLibrary", "Imaging", "Pixels", "TerminalGraphics", system],
      path: "Tests/Benchmarks/BlockBenchmark", swiftSettings: settings),
    .executableTarget(
      name: "preview-endurance",
      dependencies: [
        "AssetLibrary", "CMutexAnnotations", "CodecProtocol", "FolderLibrary", "Imaging", "Pixels", system,
      ],
      path: "Tests/Benchmarks/PreviewEndurance", swiftSettings: settings),
    .executableTarget(
      name: "decode-benchmark", dependencies: ["CodecProtocol"], path: "Tests/Benchmarks/DecodeBenchmark",
      swiftSettings: settings),
    .executableTarget(
      name: "sixel-benchmark", dependencies: ["TerminalGraphics", "Pixels", "CSixel"],
      path: "Tests/Benchmarks/SixelBenchmark", swiftSettings: settings),

    // Tests.
    .systemLibrary(
      name: "CVTerm", path: "Tests/Support/CVTerm", providers: [.apt(["libvterm-dev"])]),
    .target(
      name: "TestTerminal", dependencies: ["CVTerm", "CSixel", "CZlib"],
      path: "Tests/Support/TestTerminal",
      swiftSettings: pixelSettings),
    .target(
      name: "Fixtures",
      dependencies: [
        "AssetLibrary", "CLCMS", "CMutexAnnotations", "Decoding", "Imaging", "Metadata", "Pixels",
        "Rendering",
      ],
      path: "Tests/Support/Fixtures", swiftSettings: pixelSettings),
    .target(name: "CMutexAnnotations", path: "Tests/Support/CMutexAnnotations"),
    .target(name: "TestScheduling", path: "Tests/Support/TestScheduling", swiftSettings: settings),
    .target(
      name: "RemoteServers", dependencies: ["CPlatform", "Fixtures"],
      path: "Tests/Support/RemoteServers", swiftSettings: pixelSettings),
    .executableTarget(
      name: "remote-server", dependencies: ["RemoteServers"], path: "Tests/Support/RemoteServerTool",
      swiftSettings: settings),
    .testTarget(
      name: "RemoteServersTests",
      dependencies: ["TestScheduling", "Fixtures", "RemoteServers", "remote-server"],
      swiftSettings: settings),
    .testTarget(
      name: "PixelsTests", dependencies: ["Pixels", "Fixtures"], swiftSettings: settings),
    .testTarget(
      name: "AssetLibraryTests",
      dependencies: ["TestScheduling", "AssetLibrary", "Fixtures", "MediaFormats", "Pixels", system],
      swiftSettings: settings),
    .testTarget(name: "SystemTests", dependencies: ["System"], swiftSettings: settings),
    .testTarget(
      name: "ResultsTests", dependencies: ["Results", "AssetLibrary", "Pixels", system],
      swiftSettings: settings),
    .testTarget(
      name: "ExportTests",
      dependencies: [
        "TestScheduling", "Export", "AssetLibrary", "CPlatform", "Fixtures", "Pixels", "Results", system,
      ],
      swiftSettings: settings),
    .testTarget(
      name: "ConversionTests",
      dependencies: [
        "Conversion", "AssetLibrary", "CPlatform", "Fixtures", "MediaFormats", "Metadata", "Pixels",
      ],
      swiftSettings: settings),
    .testTarget(name: "MediaFormatsTests", dependencies: ["MediaFormats"], swiftSettings: settings),
    .testTarget(
      name: "MetadataTests",
      dependencies: ["TestScheduling", "CExpat", "MediaFormats", "Metadata", "Fixtures", "Pixels"],
      swiftSettings: settings),
    .testTarget(
      name: "FolderLibraryTests",
      dependencies: [
        "TestScheduling", "FolderLibrary", "AssetLibrary", "CPlatform", "CodecProtocol", "Fixtures",
        "MediaFormats", "Metadata", "Pixels", "codec-stand-in", "tpick-codecs", "tpick-reader", system, grdb,
      ],
      swiftSettings: settings),
    .testTarget(
      name: "DecodingTests",
      dependencies: [
        "TestScheduling", "Decoding", "AssetLibrary", "CLCMS", "CodecProtocol", "Fixtures", "Imaging",
        "Pixels", "Rendering", "tpick-codecs", system,
      ],
      swiftSettings: settings),
    .testTarget(
      name: "ImagingTests",
      dependencies: [
        "TestScheduling", "Imaging", "AssetLibrary", "CodecProtocol", "Decoding", "Fixtures", "FolderLibrary",
        "Pixels", "Rendering", "preview-endurance", "tpick-codecs", "tpick-reader", system,
      ],
      swiftSettings: settings),
    .testTarget(
      name: "TerminalGraphicsTests",
      dependencies: ["TerminalGraphics", "Fixtures", "Pixels", "CSixel", "TestTerminal"],
      swiftSettings: settings),
    .testTarget(
      name: "PickerUITests", dependencies: ["PickerUI", "AssetLibrary", "Fixtures", "Pixels", system],
      swiftSettings: settings),
    .testTarget(name: "SandboxTests", dependencies: ["Sandbox"], swiftSettings: settings),
    .testTarget(name: "FileChooserTests", dependencies: ["FileChooser", "Results"], swiftSettings: settings),
    .testTarget(
      name: "CompletionTests",
      dependencies: ["TestScheduling", "Completion", "AssetLibrary", "PickerUI", "Results", "tpick"],
      swiftSettings: settings),
    .testTarget(
      name: "RemoteLibraryTests",
      dependencies: [
        "TestScheduling", "RemoteLibrary", "AssetLibrary", "FolderLibrary", "Fixtures", "Rclone",
        "RemoteServers", system, grdb,
      ],
      swiftSettings: settings),
    .testTarget(
      name: "RcloneTests", dependencies: ["TestScheduling", "Rclone", "Fixtures", "RemoteServers", system],
      swiftSettings: settings),
    .testTarget(
      name: "PermissionsTests",
      dependencies: ["TestScheduling", "AssetLibrary", "Fixtures", "Permissions", system],
      swiftSettings: settings),
    .testTarget(
      name: "ConfigurationTests",
      dependencies: ["Configuration", "AssetLibrary", "PickerUI", "TerminalGraphics"],
      swiftSettings: settings),
    .executableTarget(
      name: "codec-stand-in",
      dependencies: ["CConfinement", "CPlatform", "CodecProtocol", "MediaFormats", "Metadata"],
      path: "Tests/Support/CodecStandIn", swiftSettings: settings),
    .executableTarget(
      name: "hostile-helper", dependencies: ["CConfinement", "CPlatform"],
      path: "Tests/Support/HostileHelper"),
    // It runs where no Swift library is to be seen.
    .executableTarget(
      name: "hostile-command", path: "Tests/Support/HostileCommand",
      linkerSettings: [.unsafeFlags(["-static-stdlib"])]),
    .executableTarget(name: "dead-disk", path: "Tests/Support/DeadDisk"),
    .executableTarget(
      name: "mutated-files", dependencies: ["Fixtures"], path: "Tests/Support/MutatedFiles",
      swiftSettings: settings),
    .executableTarget(
      name: "stuck-picker",
      dependencies: ["AssetLibrary", "CursesHost", "PickerRuntime", "PickerUI", "Pixels", system],
      path: "Tests/Support/StuckPicker", swiftSettings: settings),
    .testTarget(
      name: "CodecTests",
      dependencies: [
        "TestScheduling", "CodecProtocol", "CPlatform", "FolderLibrary", "HelperMetadata", "MediaFormats",
        "Metadata", "Pixels", "Fixtures", "hostile-helper",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "PickerRuntimeTests",
      dependencies: [
        "TestScheduling", "PickerRuntime", "AssetLibrary", "Fixtures", "PickerUI", "Pixels",
        "TerminalGraphics", system,
      ],
      swiftSettings: settings),
    .testTarget(
      name: "CursesHostTests",
      dependencies: [
        "TestScheduling", "CursesHost", "PickerRuntime", "PickerUI", "Pixels", "TerminalGraphics",
        "TestTerminal",
      ],
      swiftSettings: settings),
    .testTarget(
      name: "PhotoPickerTests",
      dependencies: ["TestScheduling", "PhotoPicker", "AssetLibrary", "Export", "Fixtures", system],
      swiftSettings: settings),
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "TestScheduling", "tpick", "tpick-portal", "codec-stand-in", "dead-disk", "hostile-command",
        "stuck-picker", "TestTerminal", "Fixtures", "FolderLibrary", "Imaging", "Pixels", "RemoteServers",
        system, grdb,
      ],
      swiftSettings: settings),
  ] + fuzzing
)
