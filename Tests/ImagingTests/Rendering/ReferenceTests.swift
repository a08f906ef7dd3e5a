import AssetLibrary
import Fixtures
import Imaging
import Pixels
import TestScheduling
import Testing

/// Pictures of every format, compared with ImageMagick's rendering of the same file.
///
/// The error is the mean distance of a sample from 0 to 255, with colors weighted by alpha.
@Suite(.onOwnThreads, .timeLimit(.minutes(120))) struct ReferenceTests {
  struct Example: Sendable, CustomTestStringConvertible {
    /// The file that the picture is written to.
    var file: String
    /// Arguments of `convert` between the scene and the file.
    var make: String
    var hasAlpha: Bool
    /// Another program that runs afterwards.
    var finish: [String]
    /// The largest error at the picture's own size, and at smaller ones.
    var limits: (native: Double, reduced: Double)

    var testDescription: String { "\(file) \(make)\(hasAlpha ? ", with alpha" : "")" }

    init(
      _ file: String, _ make: String, hasAlpha: Bool = false, _ native: Double, _ reduced: Double,
      finish: [String] = []
    ) {
      (self.file, self.make, self.hasAlpha, self.finish) = (file, make, hasAlpha, finish)
      limits = (native, reduced)
    }
  }

  private static let toP3 = "-profile sRGB.icc -profile P3.icc"

  static let jpeg = [
    Example("a.jpg", "-quality 95", 0.5, 1),
    Example("a.jpg", "-quality 95 -sampling-factor 1x1", 0.5, 1),
    Example("a.jpg", "-quality 95 -sampling-factor 2x1", 0.5, 1),
    Example("a.jpg", "-quality 95 -sampling-factor 4x1", 0.5, 2),
    Example("a.jpg", "-quality 95 -interlace JPEG", 0.5, 1),
    Example("a.jpg", "-quality 95 -colorspace Gray", 0.5, 1),
    Example("a.jpg", "-quality 95 -colorspace CMYK", 0.8, 1.2),
    Example("a.jpg", "-quality 95 \(toP3)", 0.8, 1.2),
    Example(
      "a.jpg", "-quality 95 -colorspace CMYK", 1, 1.5,
      finish: ["exiftool", "-icc_profile<=inks.icc", "a.jpg"]),
    Example(
      "a.jpg", "-quality 95 -colorspace Gray", 0.5, 1,
      finish: ["exiftool", "-icc_profile<=grey.icc", "a.jpg"]),
  ]

  static let png = [
    Example("PNG24:a.png", "", 0, 1),
    Example("PNG24:a.png", "-interlace PNG", 0, 1),
    Example("PNG32:a.png", "", hasAlpha: true, 0, 1.5),
    Example("PNG32:a.png", "-interlace PNG", hasAlpha: true, 0, 1.5),
    Example("PNG48:a.png", "", 0.1, 1),
    Example("PNG64:a.png", "-interlace PNG", hasAlpha: true, 0.1, 1.5),
    Example("PNG8:a.png", "", 0, 1.5),
    Example("PNG8:a.png", "-interlace PNG", hasAlpha: true, 0, 3),
    Example("a.png", "-colorspace Gray -define png:color-type=0", 0, 1),
    Example("a.png", "-colorspace Gray -define png:color-type=4", hasAlpha: true, 0, 1.5),
    Example("a.png", "-colorspace Gray -define png:color-type=0 -define png:bit-depth=16", 0.1, 1),
    Example("a.png", "-colorspace Gray -posterize 4 -define png:bit-depth=2", 0, 1.5),
    Example("a.png", "-monochrome -define png:bit-depth=1", 0, 5),
    Example("PNG24:a.png", toP3, 0.5, 1),
    Example("PNG32:a.png", toP3, hasAlpha: true, 0.5, 1.5),
  ]

  static let others = [
    Example("a.gif", "", 0, 1),
    Example("a.gif", "-interlace GIF", 0, 1),
    Example("a.gif", "", hasAlpha: true, 0, 3),
    Example("a.webp", "-quality 90", 0.5, 1.5),
    Example("a.webp", "-define webp:lossless=true", 0, 1.2),
    Example("a.webp", "-quality 90", hasAlpha: true, 0.5, 1.5),
    Example("a.webp", "-define webp:lossless=true", hasAlpha: true, 0, 1.5),
    Example("a.webp", "-quality 95 \(toP3)", 0.8, 1.5),
    Example("BMP3:a.bmp", "", 0, 1),
    Example("BMP3:a.bmp", "-colors 200 -compress None", 0, 1.2),
    Example("BMP3:a.bmp", "-colors 200 -compress RLE", 0, 1.2),
    Example("BMP3:a.bmp", "-colors 14 -compress None", 0, 2),
    Example("BMP3:a.bmp", "-monochrome", 0, 5),
    Example("BMP:a.bmp", "", hasAlpha: true, 0, 1.5),
    Example("BMP:a.bmp", "-define bmp:subtype=RGB565", 0.3, 1),
    Example("BMP:a.bmp", "-define bmp:subtype=RGB555", 0.3, 1),
  ]

  // Takes seconds: ImageMagick makes each file and its reference.
  @Test(arguments: jpeg + png + others)
  func `A picture looks like ImageMagick's rendering`(example: Example) async throws {
    let tools = try PictureTools()
    let bytes = try tools.make(example)
    let targets = [
      PictureTools.sceneSize, PixelSize(width: 120, height: 90), PixelSize(width: 23, height: 17),
    ]
    for (target, reference) in zip(targets, try tools.references(targets)) {
      let picture = try await tools.shown(bytes, at: target)
      #expect(picture.size == target)
      let error = picture.meanError(to: reference)
      let isNative = target == PictureTools.sceneSize
      #expect(error <= (isNative ? example.limits.native : example.limits.reduced), "at \(target)")
    }
  }
}

/// A folder in which ImageMagick makes pictures and their references.
struct PictureTools {
  let folder: TemporaryFolder
  static let sceneSize = PixelSize(width: 307, height: 229)

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(TestProfiles.sRGB(), to: "sRGB.icc")
    try folder.write(TestProfiles.displayP3(), to: "P3.icc")
    try folder.write(TestProfiles.inks(), to: "inks.icc")
    try folder.write(TestProfiles.grey(exponent: 1.4), to: "grey.icc")
  }

  /// Makes the file of an example.
  func make(_ example: ReferenceTests.Example) throws -> [UInt8] {
    try folder.write(TestScene.make(Self.sceneSize, hasAlpha: example.hasAlpha).pam, to: "scene.pam")
    let alpha = example.hasAlpha ? [] : ["-alpha", "off"]
    try folder.run(
      ["convert", "scene.pam"] + alpha + example.make.split(separator: " ").map(String.init) + [example.file])
    if !example.finish.isEmpty { try folder.run(example.finish) }
    let name = example.file.split(separator: ":").last.map(String.init) ?? ""
    try folder.rename(name, to: "made")
    return try folder.bytes(of: "made")
  }

  /// ImageMagick's rendering of the last file, which has a profile or is sRGB, in several sizes.
  func references(_ sizes: [PixelSize]) throws -> [PixelBuffer] {
    let upright = "made[0] -auto-orient -profile sRGB.icc -colorspace sRGB -depth 8 -filter Catrom"
    let resized = sizes.map { size in
      "( +clone -resize \(size.width)x\(size.height)! -write rgba:\(size.width) +delete )"
    }
    let words = "convert \(upright) \(resized.joined(separator: " ")) null:"
    try folder.run(words.split(separator: " ").map(String.init))
    return try sizes.map { PixelBuffer(size: $0, bytes: try folder.bytes(of: "\($0.width)")) }
  }

  /// The pipeline's rendering of a file.
  func shown(_ bytes: [UInt8], at target: PixelSize) async throws -> PixelBuffer {
    let library = TestLibrary()
    let asset = library.add(bytes, named: "made")
    let log = await ImagePipeline(store: library.store).answers(to: asset, size: target)
    guard let picture = log.pictures.last else { throw FixtureError("\(log.answers)") }
    return picture
  }
}

extension PixelBuffer {
  /// The mean distance of a sample, with colors weighted by alpha.
  func meanError(to other: PixelBuffer) -> Double {
    guard size == other.size else { return .infinity }
    var sum = 0.0
    let (bytes, other) = (bytes, other.bytes)
    for index in stride(from: 0, to: bytes.count, by: 4) {
      let (alpha, otherAlpha) = (Double(bytes[index + 3]), Double(other[index + 3]))
      for channel in 0..<3 {
        sum +=
          abs(Double(bytes[index + channel]) * alpha - Double(other[index + channel]) * otherAlpha)
          / 255
      }
      sum += abs(alpha - otherAlpha)
    }
    return sum / Double(bytes.count)
  }
}
