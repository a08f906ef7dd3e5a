import AssetLibrary
import CodecProtocol
import Fixtures
import Foundation
import Pixels
import Testing

@testable import Decoding

/// Every kind of damage in every format: a picture, or a reason why there is none.
@Suite(.timeLimit(.minutes(120))) struct FileDamageTests {
  /// Formats, and how a file of each is made from `a.png`.
  private static let formats: [(name: String, commands: [String])] = [
    ("baseline.jpg", ["convert a.png -quality 90 baseline.jpg"]),
    ("progressive.jpg", ["convert a.png -interlace JPEG -quality 90 progressive.jpg"]),
    ("plain.png", ["convert a.png -strip plain.png"]),
    ("interlaced.png", ["convert a.png -strip -interlace PNG interlaced.png"]),
    ("picture.gif", ["convert a.png picture.gif"]),
    ("lossy.webp", ["convert a.png -quality 80 lossy.webp"]),
    ("lossless.webp", ["convert a.png -define webp:lossless=true lossless.webp"]),
    ("plain.bmp", ["convert a.png BMP3:plain.bmp"]),
    ("runs.bmp", ["convert a.png -colors 100 -compress RLE BMP3:runs.bmp"]),
    ("strips.tif", ["convert a.png -compress lzw -define tiff:rows-per-strip=8 strips.tif"]),
    ("float.tif", ["convert a.png -depth 32 -define quantum:format=floating-point -compress lzw float.tif"]),
    ("picture.heic", ["heif-enc a.png -o picture.heic"]),
    ("picture.avif", ["heif-enc -A a.png -o picture.avif"]),
    ("picture.jxl", ["cjxl a.png picture.jxl -e 3 --container=1"]),
  ]

  private static let files = Result {
    let folder = try TemporaryFolder()
    try folder.write(TestScene.make(PixelSize(width: 96, height: 72)).pam, to: "a.pam")
    try folder.run("convert", "a.pam", "-alpha", "off", "a.png")
    return try formats.map { format -> (name: String, bytes: [UInt8]) in
      for command in format.commands { try folder.run(command.split(separator: " ").map(String.init)) }
      return (format.name, try folder.bytes(of: format.name))
    }
  }

  @Test(arguments: formats.indices)
  func `With any kind of damage a file is shown or rejected with a reason`(index: Int) throws {
    let (name, bytes) = try Self.files.get()[index]
    let helper = CodecClient(program: Program.helper)
    let folder = try TemporaryFolder()
    for kind in FileDamage.allCases {
      for seed in 1...4 as ClosedRange<UInt64> {
        let damaged = kind.damage(bytes, seed: seed)
        do {
          if PictureFormat(head: Array(damaged.prefix(PictureFormat.headLength))) != nil {
            let picture = try #require(try decode(damaged, budget: .small))
            #expect((1...picture.pixels.height).contains(picture.visibleRows), "\(name) \(kind) \(seed)")
          } else {
            try folder.write(damaged, to: "a")
            let file = try FileHandle(forReadingFrom: URL(filePath: "\(folder.path)/a"))
            _ = try helper.decode(file.fileDescriptor, DecodeRequest(targetWidth: 30, targetHeight: 20))
          }
        } catch let error as AssetError {
          #expect(!error.reason.isEmpty, "\(name) \(kind) \(seed)")
        } catch let error as CodecError {
          #expect(!error.reason.isEmpty && !error.isHelperUnavailable, "\(name) \(kind) \(seed)")
        }
      }
    }
  }

  private static let output = ProcessInfo.processInfo.environment["TPICK_DAMAGED_FILES"]

  /// For Tests/Tools/damage-table, which compares how other programs draw them.
  @Test(.enabled(if: output != nil))
  func `The damaged files are written on request`() throws {
    let output = try #require(Self.output)
    for (name, bytes) in try Self.files.get() {
      for kind in FileDamage.allCases {
        for seed in 1...8 as ClosedRange<UInt64> {
          let file = URL(filePath: "\(output)/\(kind.rawValue)-\(seed)-\(name)")
          try Data(kind.damage(bytes, seed: seed)).write(to: file)
        }
      }
    }
  }
}
