// swift-tools-version: 6.2
import PackageDescription

/// The settings of all Swift targets.
///
/// The tools version implies the Swift 6 language mode; upcoming features make it stricter, and CI turns
/// warnings into errors.
let plainSettings: [SwiftSetting] =
  [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ] + (Context.environment["CI"] == nil ? [] : [.treatAllWarnings(as: .error)])

/// The settings of everything but the tests themselves.
///
/// Tests would take twice as long without optimization, and faults that only optimized code has would not be seen
/// before the release. Overflow and bounds checks remain.
let optimizedSettings = plainSettings + [.unsafeFlags(["-O"], .when(configuration: .debug))]

/// The packages of external products, by product name.
let products = [
  "SystemPackage": "swift-system", "TOMLKit": "TOMLKit", "GRDB": "GRDB.swift",
  "ArgumentParser": "swift-argument-parser",
]

/// A row of a table: a target, its folder if not the default, its dependencies and linked libraries, as in
/// `Name Folder: Target Product -llibrary`.
struct Row {
  let name: String
  let path: String?
  let dependencies: [Target.Dependency]
  let links: [LinkerSetting]

  init(_ text: String) {
    let parts = text.split(separator: ": ").map { $0.split(separator: " ").map(String.init) }
    let (target, others) = (parts[0], parts.dropFirst().joined())
    name = target[0]
    path = target.dropFirst().first
    dependencies = others.filter { !$0.hasPrefix("-l") }.map { word in
      products[word].map { .product(name: word, package: $0) } ?? .init(stringLiteral: word)
    }
    links = others.filter { $0.hasPrefix("-l") }.map { .linkedLibrary(String($0.dropFirst(2))) }
  }
}

/// Returns the targets of a table with one target per line.
///
/// An indented line continues the previous one; a line that starts with `//` is a comment.
func table(_ text: String, _ target: (Row) -> Target) -> [Target] {
  text.split(separator: "\n").filter { !$0.hasPrefix("//") }.reduce(into: [String]()) { rows, line in
    if line.hasPrefix(" ") { rows[rows.count - 1] += line } else { rows.append(String(line)) }
  }.map { target(Row($0)) }
}

func module(_ row: Row) -> Target {
  .target(name: row.name, dependencies: row.dependencies, path: row.path, swiftSettings: optimizedSettings)
}

let modules = table(
  """
  Pixels
  MediaFormats
  System: CPlatform SystemPackage
  AssetLibrary: MediaFormats Pixels System SystemPackage
  Trash: AssetLibrary CPlatform System SystemPackage
  CodecProtocol: CPlatform Pixels System
  Metadata: CodecProtocol MediaFormats Pixels System CXML
  FolderLibrary: AssetLibrary CPlatform CodecProtocol Export MediaFormats Metadata Pixels System SystemPackage
    Trash GRDB
  RemoteLibrary: AssetLibrary CPlatform CLibraries CodecProtocol FolderLibrary Imaging System SystemPackage
    GRDB
  Rclone: CCurl CPlatform CLibraries System SystemPackage
  Rendering: AssetLibrary Pixels
  Imaging: AssetLibrary CPlatform CodecProtocol MediaFormats Pixels Rendering System CJPEGEncoder CLibraries
    SystemPackage
  Decoding: System AssetLibrary CodecProtocol MediaFormats Pixels Rendering CLibraries CDecoders
  HelperMetadata: System CDecoders CLibraries CodecProtocol MediaFormats Metadata Pixels
  Results: System AssetLibrary MediaFormats Pixels SystemPackage
  Export: AssetLibrary CPlatform MediaFormats Pixels Results System SystemPackage
  Conversion: System AssetLibrary CPlatform CodecProtocol Export Imaging MediaFormats Metadata Pixels
    Rendering CLibraries SystemPackage
  TerminalGraphics: System Pixels CLibraries CPlatform
  PickerUI: System AssetLibrary MediaFormats Pixels
  PickerRuntime: PickerUI AssetLibrary Pixels TerminalGraphics System
  CursesHost: System PickerRuntime PickerUI AssetLibrary Pixels TerminalGraphics CLibraries CPlatform
  PhotoPicker: System AssetLibrary CodecProtocol Conversion CursesHost Export FolderLibrary Imaging
    Permissions PickerRuntime PickerUI Pixels Rclone RemoteLibrary Results TerminalGraphics
    SystemPackage
  Configuration: AssetLibrary PickerUI Pixels Results TerminalGraphics System TOMLKit
  Permissions: System AssetLibrary Configuration SystemPackage
  Completion: AssetLibrary MediaFormats PickerUI Results TerminalGraphics
  FileChooser: AssetLibrary MediaFormats Results System
  Sandbox

  // Libraries for tests.
  TestScheduling Tests/Support/TestScheduling
  TestTerminal Tests/Support/TestTerminal: CVTerm CLibraries
  RemoteServers Tests/Support/RemoteServers: CPlatform Fixtures
  Fixtures Tests/Support/Fixtures: AssetLibrary CLibraries CMutexAnnotations Decoding Imaging Metadata
    Pixels Rendering
  """, module)

/// The dependencies of the codec helper.
let helperLibraries =
  "CodecProtocol HelperMetadata MediaFormats Metadata Pixels System CCodecs CConfinement CDecoders CLibraries CPlatform"

func program(_ row: Row) -> Target {
  .executableTarget(
    name: row.name, dependencies: row.dependencies, path: row.path, swiftSettings: optimizedSettings)
}

let programs = table(
  """
  // The desktop's file chooser, the only program linked with the D-Bus library.
  tpick-portal: System AssetLibrary CPlatform CSessionBus FileChooser SystemPackage
  tpick: AssetLibrary CPlatform CConfinement CodecProtocol Completion Configuration Conversion CursesHost
    Export FolderLibrary Imaging MediaFormats Metadata Permissions PhotoPicker PickerRuntime PickerUI Pixels
    Rclone RemoteLibrary Results Sandbox TerminalGraphics System SystemPackage Trash ArgumentParser
  // The reader helper, the only program that decodes light formats.
  tpick-reader: System AssetLibrary CPlatform CConfinement CLibraries CodecProtocol Decoding HelperMetadata
    Pixels Rendering
  // The codec helper, the only program linked with the libraries of heavy formats.
  tpick-codecs: \(helperLibraries)

  // Benchmarks.
  fetch-benchmark Tests/Benchmarks/FetchBenchmark: FolderLibrary AssetLibrary SystemPackage
  picture-benchmark Tests/Benchmarks/PictureBenchmark: Imaging AssetLibrary FolderLibrary Pixels SystemPackage
  async-benchmark Tests/Benchmarks/AsyncBenchmark: Imaging AssetLibrary FolderLibrary Pixels SystemPackage
  block-benchmark Tests/Benchmarks/BlockBenchmark: AssetLibrary FolderLibrary Imaging Pixels
    TerminalGraphics SystemPackage
  preview-endurance Tests/Benchmarks/PreviewEndurance: AssetLibrary CMutexAnnotations CodecProtocol
    FolderLibrary Imaging Pixels SystemPackage
  decode-benchmark Tests/Benchmarks/DecodeBenchmark: CodecProtocol
  sixel-benchmark Tests/Benchmarks/SixelBenchmark: TerminalGraphics Pixels CLibraries

  // Test programs.
  remote-server Tests/Support/RemoteServerTool: RemoteServers
  codec-stand-in Tests/Support/CodecStandIn: CConfinement CPlatform CodecProtocol MediaFormats Metadata
  mutated-files Tests/Support/MutatedFiles: Fixtures
  stuck-picker Tests/Support/StuckPicker: AssetLibrary CursesHost PickerRuntime PickerUI Pixels SystemPackage
  """, program)
programs[0].exclude = ["Installed"]

/// Code that must be written in C.
///
/// Decision 37 explains why it is split into these targets.
let platform = table(
  """
  CPlatform
  // Linked statically: only `tpick run` needs filters, but every start would load a shared library.
  CConfinement: -l:libseccomp.a
  CDecoders: CXML -ljpeg -lexpat
  CJPEGEncoder: -ljpeg
  // Parses XMP; works only in programs that are linked with CDecoders.
  CXML
  // Loads libcurl when it is needed, so it is linked with nothing.
  CCurl
  CSessionBus: -lsystemd
  CCodecs: -llcms2 -lheif -lavformat -lavcodec -lavutil -lswscale -ljxl -ljxl_threads -ltiff -lraw
  CMutexAnnotations Tests/Support/CMutexAnnotations
  """
) {
  .target(
    name: $0.name, dependencies: $0.dependencies, path: $0.path ?? "Sources/C/\($0.name)",
    linkerSettings: $0.links)
}

let programsInC = table(
  """
  // Runs in sandboxes that contain no Swift library.
  hostile-command Tests/Support/HostileCommand
  hostile-helper Tests/Support/HostileHelper: CConfinement CPlatform
  dead-disk Tests/Support/DeadDisk
  jpeg-floor Tests/Benchmarks/JPEGFloor: -ljpeg
  """
) { .executableTarget(name: $0.name, dependencies: $0.dependencies, path: $0.path, linkerSettings: $0.links) }
programsInC[0].linkerSettings = [.unsafeFlags(["-static-stdlib"])]

let tests = table(
  """
  PixelsTests: Pixels Fixtures
  MediaFormatsTests: MediaFormats
  SystemTests: TestScheduling System SystemPackage
  TrashTests: TestScheduling Trash Fixtures System SystemPackage
  AssetLibraryTests: TestScheduling AssetLibrary Fixtures MediaFormats Pixels SystemPackage
  CodecTests: TestScheduling CodecProtocol CPlatform FolderLibrary HelperMetadata MediaFormats Metadata
    Pixels Fixtures hostile-helper
  MetadataTests: TestScheduling CodecProtocol CDecoders MediaFormats Metadata Fixtures Pixels
  FolderLibraryTests: TestScheduling FolderLibrary AssetLibrary CPlatform CodecProtocol Fixtures
    MediaFormats Metadata Pixels Trash codec-stand-in tpick tpick-codecs tpick-reader SystemPackage GRDB
  RemoteLibraryTests: TestScheduling RemoteLibrary AssetLibrary CodecProtocol FolderLibrary Fixtures
    Imaging PhotoPicker Pixels Rclone RemoteServers tpick-reader SystemPackage GRDB
  RcloneTests: TestScheduling Rclone Fixtures RemoteServers SystemPackage
  RemoteServersTests: TestScheduling Fixtures RemoteServers remote-server
  ImagingTests: TestScheduling Imaging AssetLibrary CodecProtocol Decoding Fixtures FolderLibrary Pixels
    Rendering codec-stand-in preview-endurance tpick-codecs tpick-reader SystemPackage
  DecodingTests: TestScheduling Decoding AssetLibrary CDecoders CLibraries CodecProtocol Fixtures Imaging
    Pixels Rendering tpick-codecs SystemPackage
  ResultsTests: Results AssetLibrary Fixtures Pixels SystemPackage
  ExportTests: TestScheduling Export AssetLibrary CPlatform Fixtures Pixels Results SystemPackage
  ConversionTests: TestScheduling Conversion AssetLibrary CLibraries CPlatform CodecProtocol Decoding Export
    Fixtures Imaging MediaFormats Metadata Pixels tpick-codecs tpick-reader SystemPackage
  TerminalGraphicsTests: TerminalGraphics Fixtures Pixels CLibraries TestTerminal
  PickerUITests: PickerUI AssetLibrary Fixtures Pixels SystemPackage
  PickerRuntimeTests: TestScheduling PickerRuntime AssetLibrary Fixtures PickerUI Pixels TerminalGraphics
    TestTerminal SystemPackage
  CursesHostTests: TestScheduling CursesHost PickerRuntime PickerUI Pixels TerminalGraphics TestTerminal
  PhotoPickerTests: TestScheduling PhotoPicker AssetLibrary Export Fixtures FolderLibrary Permissions SystemPackage
    tpick-codecs tpick-reader
  ConfigurationTests: Configuration AssetLibrary PickerUI TerminalGraphics
  PermissionsTests: TestScheduling AssetLibrary Fixtures Permissions SystemPackage
  CompletionTests: TestScheduling Completion AssetLibrary PickerUI Results tpick
  FileChooserTests: FileChooser Results
  SandboxTests: Sandbox
  EndToEndTests: TestScheduling tpick tpick-portal codec-stand-in dead-disk hostile-command stuck-picker
    TestTerminal Fixtures FolderLibrary Imaging Pixels RemoteServers SystemPackage GRDB
  """
) { .testTarget(name: $0.name, dependencies: $0.dependencies, swiftSettings: plainSettings) }

/// The fuzz targets, only in builds of Tests/Fuzzing/run, so that they don't slow down other builds.
let fuzzing = table(
  """
  // The codec helper's sources as a library, through a link, because two targets can't share a folder.
  HelperDecoders Tests/Fuzzing/HelperDecoders: \(helperLibraries)
  fuzz Tests/Fuzzing/Fuzz: AssetLibrary CCodecs CCurl CDecoders CLibraries CPlatform CodecProtocol
    Conversion CursesHost Decoding Fixtures FolderLibrary HelperDecoders HelperMetadata Imaging MediaFormats
    Metadata PickerRuntime PickerUI Pixels Rclone RemoteLibrary Rendering TerminalGraphics
  """
) { $0.name == "fuzz" ? program($0) : module($0) }
fuzzing[0].exclude = ["main.swift"]

let package = Package(
  name: "tpick",
  // The libraries are for other programs; Decision 18 describes them.
  products: ["AssetLibrary", "FolderLibrary", "Imaging", "TerminalGraphics", "PhotoPicker"].map {
    .library(name: $0, targets: [$0])
  } + ["tpick", "tpick-codecs", "tpick-reader", "tpick-portal"].map { .executable(name: $0, targets: [$0]) },
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-system", from: "1.6.0"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/LebJe/TOMLKit", from: "0.6.0"),
  ],
  targets: modules + programs + platform + programsInC + tests
    + (Context.environment["TPICK_FUZZING"] == nil ? [] : fuzzing) + [
      // System libraries with their module maps and Debian packages.
      .systemLibrary(
        name: "CLibraries", path: "Sources/C/CLibraries",
        providers: [
          .apt([
            "libavformat-dev", "libgif-dev", "libheif-dev", "liblcms2-dev", "libmd-dev", "libncurses-dev",
            "libsixel-dev", "libspng-dev", "libwebp-dev", "zlib1g-dev",
          ])
        ]),
      .systemLibrary(name: "CVTerm", path: "Tests/Support/CVTerm", providers: [.apt(["libvterm-dev"])]),
    ]
)
