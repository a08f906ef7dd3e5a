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
let optimizedSettings = settings + [.unsafeFlags(["-O"], .when(configuration: .debug))]

/// Products of other packages, by the names that dependencies use.
let products = [
  "SystemPackage": "swift-system", "TOMLKit": "TOMLKit", "GRDB": "GRDB.swift",
  "ArgumentParser": "swift-argument-parser",
]

/// What a target depends on: names with blanks between them, of targets or products.
func named(_ names: String) -> [Target.Dependency] {
  names.split(whereSeparator: \.isWhitespace).map { name in
    products[String(name)].map { .product(name: String(name), package: $0) }
      ?? .init(stringLiteral: String(name))
  }
}

/// A Swift module of Sources.
func module(
  _ name: String, _ dependencies: String = "", in path: String? = nil, isOptimized: Bool = false
) -> Target {
  .target(
    name: name, dependencies: named(dependencies), path: path,
    swiftSettings: isOptimized ? optimizedSettings : settings)
}

enum Language { case swift, c }

func program(
  _ name: String, _ dependencies: String = "", in path: String? = nil, exclude: [String] = [],
  isOptimized: Bool = false, language: Language = .swift, links: [LinkerSetting] = []
) -> Target {
  .executableTarget(
    name: name, dependencies: named(dependencies), path: path, exclude: exclude,
    swiftSettings: language == .c ? [] : isOptimized ? optimizedSettings : settings, linkerSettings: links)
}

func tests(_ name: String, _ dependencies: String) -> Target {
  .testTarget(name: name, dependencies: named(dependencies), swiftSettings: settings)
}

/// C of ours, below Sources/C unless it says otherwise, with the libraries that it is linked with.
func c(_ name: String, _ dependencies: String = "", in path: String? = nil, links: [String] = []) -> Target {
  .target(
    name: name, dependencies: named(dependencies), path: path ?? "Sources/C/\(name)",
    linkerSettings: links.map { .linkedLibrary($0) })
}

/// Libraries of the system: their module map, and Debian's packages.
func systemLibrary(_ name: String, packages: [String], in path: String? = nil) -> Target {
  .systemLibrary(name: name, path: path ?? "Sources/C/\(name)", providers: [.apt(packages)])
}

/// What only the helper for heavy formats is linked with.
let helperLibraries =
  """
  CodecProtocol HelperMetadata Metadata Pixels System CCodecs CConfinement CDecoders CLibraries
  CPlatform
  """

/// The fuzz targets, for builds that ask for them (Tests/Fuzzing/run): no other build has to wait for them.
let fuzzing: [Target] =
  Context.environment["TPICK_FUZZING"] == nil
  ? []
  : [
    // The helper's sources again, as a library: by a link, because no two targets may share a folder.
    .target(
      name: "HelperDecoders", dependencies: named(helperLibraries), path: "Tests/Fuzzing/HelperDecoders",
      exclude: ["main.swift"], swiftSettings: settings),
    program(
      "fuzz",
      """
      AssetLibrary CCodecs CCurl CDecoders CLibraries CPlatform CodecProtocol Conversion CursesHost
      Decoding Fixtures FolderLibrary HelperDecoders HelperMetadata Imaging MediaFormats Metadata
      PickerRuntime PickerUI Pixels Rclone RemoteLibrary Rendering TerminalGraphics
      """, in: "Tests/Fuzzing/Fuzz"),
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
    module("Pixels", isOptimized: true),
    module("MediaFormats"),
    module("System", "CPlatform SystemPackage"),
    module("AssetLibrary", "MediaFormats Pixels System SystemPackage"),
    module("Metadata", "CodecProtocol MediaFormats Pixels System CXML"),
    module("Results", "System AssetLibrary MediaFormats Pixels SystemPackage"),
    module("PickerUI", "System AssetLibrary MediaFormats Pixels"),
    module("Configuration", "AssetLibrary PickerUI Pixels Results TerminalGraphics System TOMLKit"),
    module("Permissions", "System AssetLibrary Configuration SystemPackage"),
    module("Completion", "AssetLibrary MediaFormats PickerUI Results"),
    module("FileChooser", "AssetLibrary MediaFormats Results System"),
    module("Sandbox"),

    // Effects: disks, decoders, the terminal.
    module("CodecProtocol", "CPlatform System"),
    module(
      "FolderLibrary",
      """
      AssetLibrary CPlatform CodecProtocol MediaFormats Metadata Pixels System SystemPackage GRDB
      """),
    module(
      "RemoteLibrary",
      """
      AssetLibrary CPlatform CLibraries CodecProtocol FolderLibrary Imaging System SystemPackage GRDB
      """),
    module("Rclone", "CCurl CPlatform CLibraries System SystemPackage"),
    module("Rendering", "AssetLibrary Pixels", isOptimized: true),
    module(
      "Imaging",
      """
      AssetLibrary CPlatform CodecProtocol MediaFormats Pixels Rendering System CJPEGEncoder CLibraries SystemPackage
      """, isOptimized: true),
    module("Export", "AssetLibrary CPlatform MediaFormats Pixels Results System SystemPackage"),
    module(
      "Conversion",
      """
      System AssetLibrary CPlatform CodecProtocol Export Imaging MediaFormats Metadata Pixels
      Rendering CLibraries SystemPackage
      """, isOptimized: true),
    module("TerminalGraphics", "System Pixels CLibraries CPlatform", isOptimized: true),
    module("PickerRuntime", "PickerUI AssetLibrary Pixels TerminalGraphics System"),
    module(
      "CursesHost",
      "System PickerRuntime PickerUI AssetLibrary Pixels TerminalGraphics CLibraries CPlatform"),
    module(
      "PhotoPicker",
      """
      System AssetLibrary CodecProtocol Conversion CursesHost Export FolderLibrary Imaging
      PickerRuntime PickerUI Pixels Rclone RemoteLibrary TerminalGraphics SystemPackage
      """),
    program(
      "tpick",
      """
      AssetLibrary CPlatform CConfinement CodecProtocol Completion Configuration Conversion CursesHost
      Export FolderLibrary Imaging MediaFormats Metadata Permissions PhotoPicker PickerRuntime
      PickerUI Pixels Rclone RemoteLibrary Results Sandbox TerminalGraphics System SystemPackage
      ArgumentParser
      """, isOptimized: true),

    // The helper that makes pictures, the only program that light libraries decode in.
    module(
      "Decoding",
      """
      System AssetLibrary CodecProtocol MediaFormats Pixels Rendering CLibraries CDecoders
      """, isOptimized: true),
    module("HelperMetadata", "System CDecoders CLibraries CodecProtocol Metadata Pixels"),
    program(
      "tpick-reader",
      """
      System AssetLibrary CPlatform CConfinement CLibraries CodecProtocol Decoding HelperMetadata Pixels
      Rendering
      """, isOptimized: true),

    // The helper for heavy formats, the only program that heavy libraries are linked into.
    program("tpick-codecs", helperLibraries),
    c(
      "CCodecs",
      links: [
        "lcms2", "heif", "avformat", "avcodec", "avutil", "swscale", "jxl", "jxl_threads", "tiff", "raw",
      ]),

    // The file chooser of the desktop, the only program that the library of the bus is linked into.
    program(
      "tpick-portal",
      "System AssetLibrary CPlatform CSessionBus FileChooser SystemPackage", exclude: ["Installed"]),
    c("CSessionBus", links: ["systemd"]),

    // C libraries, and the C that cannot be written in Swift. Decision 37 says why it is so many targets.
    systemLibrary(
      "CLibraries",
      packages: [
        "libavformat-dev", "libgif-dev", "libheif-dev", "liblcms2-dev", "libmd-dev", "libncurses-dev",
        "libsixel-dev", "libspng-dev", "libwebp-dev", "zlib1g-dev",
      ]),
    c("CPlatform"),
    // The static library: tpick makes filters for `run` alone, and would look for the shared one at every start.
    c("CConfinement", links: [":libseccomp.a"]),
    c("CDecoders", "CXML", links: ["jpeg", "expat"]),
    c("CJPEGEncoder", links: ["jpeg"]),
    // What XMP is read with; only programs that are linked with CDecoders can parse.
    c("CXML"),
    // Loaded by it where it is needed, and linked with nothing.
    c("CCurl"),

    // Measurements.
    program(
      "fetch-benchmark",
      "FolderLibrary AssetLibrary SystemPackage", in: "Tests/Benchmarks/FetchBenchmark"),
    program(
      "picture-benchmark",
      "Imaging AssetLibrary FolderLibrary Pixels SystemPackage", in: "Tests/Benchmarks/PictureBenchmark"),
    program("jpeg-floor", in: "Tests/Benchmarks/JPEGFloor", language: .c, links: [.linkedLibrary("jpeg")]),
    program(
      "block-benchmark",
      "AssetLibrary FolderLibrary Imaging Pixels TerminalGraphics SystemPackage",
      in: "Tests/Benchmarks/BlockBenchmark"),
    program(
      "preview-endurance",
      "AssetLibrary CMutexAnnotations CodecProtocol FolderLibrary Imaging Pixels SystemPackage",
      in: "Tests/Benchmarks/PreviewEndurance"),
    program("decode-benchmark", "CodecProtocol", in: "Tests/Benchmarks/DecodeBenchmark"),
    program("sixel-benchmark", "TerminalGraphics Pixels CLibraries", in: "Tests/Benchmarks/SixelBenchmark"),

    // Tests.
    systemLibrary("CVTerm", packages: ["libvterm-dev"], in: "Tests/Support/CVTerm"),
    module("TestTerminal", "CVTerm CLibraries", in: "Tests/Support/TestTerminal", isOptimized: true),
    module(
      "Fixtures",
      "AssetLibrary CLibraries CMutexAnnotations Decoding Imaging Metadata Pixels Rendering",
      in: "Tests/Support/Fixtures", isOptimized: true),
    c("CMutexAnnotations", in: "Tests/Support/CMutexAnnotations"),
    module("TestScheduling", in: "Tests/Support/TestScheduling"),
    module("RemoteServers", "CPlatform Fixtures", in: "Tests/Support/RemoteServers", isOptimized: true),
    program("remote-server", "RemoteServers", in: "Tests/Support/RemoteServerTool"),
    tests("RemoteServersTests", "TestScheduling Fixtures RemoteServers remote-server"),
    tests("PixelsTests", "Pixels Fixtures"),
    tests("AssetLibraryTests", "TestScheduling AssetLibrary Fixtures MediaFormats Pixels SystemPackage"),
    tests("SystemTests", "TestScheduling System SystemPackage"),
    tests("ResultsTests", "Results AssetLibrary Fixtures Pixels SystemPackage"),
    tests(
      "ExportTests",
      "TestScheduling Export AssetLibrary CPlatform Fixtures Pixels Results SystemPackage"),
    tests(
      "ConversionTests",
      """
      TestScheduling Conversion AssetLibrary CLibraries CPlatform CodecProtocol Decoding Export
      Fixtures Imaging MediaFormats Metadata Pixels tpick-codecs tpick-reader SystemPackage
      """),
    tests("MediaFormatsTests", "MediaFormats"),
    tests("MetadataTests", "TestScheduling CodecProtocol CDecoders MediaFormats Metadata Fixtures Pixels"),
    tests(
      "FolderLibraryTests",
      """
      TestScheduling FolderLibrary AssetLibrary CPlatform CodecProtocol Fixtures MediaFormats Metadata
      Pixels codec-stand-in tpick-codecs tpick-reader SystemPackage GRDB
      """),
    tests(
      "DecodingTests",
      """
      TestScheduling Decoding AssetLibrary CLibraries CodecProtocol Fixtures Imaging Pixels Rendering
      tpick-codecs SystemPackage
      """),
    tests(
      "ImagingTests",
      """
      TestScheduling Imaging AssetLibrary CodecProtocol Decoding Fixtures FolderLibrary Pixels
      Rendering preview-endurance tpick-codecs tpick-reader SystemPackage
      """),
    tests("TerminalGraphicsTests", "TerminalGraphics Fixtures Pixels CLibraries TestTerminal"),
    tests("PickerUITests", "PickerUI AssetLibrary Fixtures Pixels SystemPackage"),
    tests("SandboxTests", "Sandbox"),
    tests("FileChooserTests", "FileChooser Results"),
    tests("CompletionTests", "TestScheduling Completion AssetLibrary PickerUI Results tpick"),
    tests(
      "RemoteLibraryTests",
      """
      TestScheduling RemoteLibrary AssetLibrary CodecProtocol FolderLibrary Fixtures Imaging PhotoPicker
      Pixels Rclone RemoteServers tpick-reader SystemPackage GRDB
      """),
    tests("RcloneTests", "TestScheduling Rclone Fixtures RemoteServers SystemPackage"),
    tests("PermissionsTests", "TestScheduling AssetLibrary Fixtures Permissions SystemPackage"),
    tests("ConfigurationTests", "Configuration AssetLibrary PickerUI TerminalGraphics"),
    program(
      "codec-stand-in",
      "CConfinement CPlatform CodecProtocol MediaFormats Metadata", in: "Tests/Support/CodecStandIn"),
    program("hostile-helper", "CConfinement CPlatform", in: "Tests/Support/HostileHelper", language: .c),
    // It runs where no Swift library is to be seen.
    program(
      "hostile-command", in: "Tests/Support/HostileCommand", language: .c,
      links: [.unsafeFlags(["-static-stdlib"])]),
    program("dead-disk", in: "Tests/Support/DeadDisk", language: .c),
    program("mutated-files", "Fixtures", in: "Tests/Support/MutatedFiles"),
    program(
      "stuck-picker",
      "AssetLibrary CursesHost PickerRuntime PickerUI Pixels SystemPackage", in: "Tests/Support/StuckPicker"),
    tests(
      "CodecTests",
      """
      TestScheduling CodecProtocol CPlatform FolderLibrary HelperMetadata MediaFormats Metadata Pixels
      Fixtures hostile-helper
      """),
    tests(
      "PickerRuntimeTests",
      """
      TestScheduling PickerRuntime AssetLibrary Fixtures PickerUI Pixels TerminalGraphics
      SystemPackage
      """),
    tests(
      "CursesHostTests",
      "TestScheduling CursesHost PickerRuntime PickerUI Pixels TerminalGraphics TestTerminal"),
    tests("PhotoPickerTests", "TestScheduling PhotoPicker AssetLibrary Export Fixtures SystemPackage"),
    tests(
      "EndToEndTests",
      """
      TestScheduling tpick tpick-portal codec-stand-in dead-disk hostile-command stuck-picker
      TestTerminal Fixtures FolderLibrary Imaging Pixels RemoteServers SystemPackage GRDB
      """),
  ] + fuzzing
)
