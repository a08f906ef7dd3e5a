import Fixtures

/// A small library for servers: names that require escaping somewhere, pairs, a sidecar, nested folders.
enum RemotePhotos {
  /// The folder below the served one that is the source: its name is the title of an album.
  static let folder = "Photos"

  /// Photographs differ by date; the names are those of the assets' primary files, newest first.
  static let names = [
    "plain.jpg", "a b.jpg", "100% #1 [x].jpg", "-dash.jpg", "Grüße/😀.jpg", "Grüße/liked.jpg",
    "Reise nach Süden/pair.jpg", "Reise nach Süden/IMG_0042.JPG", "Reise nach Süden/screen.png",
  ]

  private static let made = Result { try make() }

  /// All files by name relative to the source, in the order of their assets.
  static func files() throws -> [(name: String, bytes: [UInt8])] { try made.get() }

  private static func make() throws -> [(name: String, bytes: [UInt8])] {
    var files: [(name: String, bytes: [UInt8])] = []
    for (index, name) in names.enumerated() where !name.hasSuffix(".png") {
      files.append((name, try photo(day: 28 - index).bytes()))
    }
    let sidecar = MetadataSegments.xmp(attributes: "xmp:Rating=\"5\"")
    return files + [
      ("Grüße/liked.xmp", sidecar), ("Reise nach Süden/pair.dng", HandmadeDNG().bytes),
      ("Reise nach Süden/IMG_0042.MOV", HandmadeMovie().bytes),
      ("Reise nach Süden/screen.png", PictureFiles.png(width: 64, height: 48)),
    ]
  }

  /// A camera photograph whose embedded thumbnail is a small part of it.
  static func photo(day: Int, width: Int = 640, height: Int = 480) -> TestPhoto {
    var photo = TestPhoto(width: width, height: height, date: .day(day))
    photo.setCamera()
    photo.embedThumbnail()
    photo.quality = 98
    return photo
  }

  /// Writes the library into a folder; all its files have times that every server can report, in whole seconds.
  static func write(to folder: TemporaryFolder) throws {
    for (index, file) in try files().enumerated() {
      try folder.write(file.bytes, to: "\(Self.folder)/\(file.name)")
      try folder.setModificationTime(1_700_000_000 - index * 60, of: "\(Self.folder)/\(file.name)")
    }
  }

  /// Writes six photographs `1.jpg` to `6.jpg` of a megabyte, of which the picture and the thumbnail are a small part;
  /// the first is the newest.
  static func writeLarge(to folder: TemporaryFolder) throws {
    for (number, bytes) in zip(1..., try large.get()) {
      try folder.write(bytes, to: "\(Self.folder)/\(number).jpg")
      // The order before reading equals that after it: otherwise the preview of another first photo would be
      // downloaded.
      try folder.setModificationTime(1_716_000_000 - number * 86_400, of: "\(Self.folder)/\(number).jpg")
    }
  }

  private static let large = Result {
    try (1...6).map { number in
      // The bytes after the picture belong to the file, but are not needed to display it.
      try photo(day: 28 - number).bytes() + noise(1 << 20, seed: UInt64(number))
    }
  }

  /// Incompressible bytes.
  static func noise(_ count: Int, seed: UInt64) -> [UInt8] {
    var random = SeededGenerator(seed: seed)
    let words = (0..<count / 8).map { _ in random.next() }
    return words.withUnsafeBytes { Array($0) }
  }

  /// Padding in each of the files of `writeWithoutThumbnails` that no picture needs: too much to download them
  /// completely for a thumbnail.
  static let padding = 3 << 20

  /// Writes a HEIC picture, a video, a raw file and a JPEG whose thumbnail differs, all of them long.
  static func writeWithoutThumbnails(to folder: TemporaryFolder) throws {
    for file in try withoutThumbnails.get() {
      try folder.write(file.bytes, to: "\(Self.folder)/\(file.name)")
    }
  }

  private static let withoutThumbnails = Result<[(name: String, bytes: [UInt8])], any Error> {
    let tools = try TemporaryFolder()
    try tools.run(["ffmpeg", "-f", "lavfi", "-i", "testsrc=s=1600x1200:d=1", "-frames:v", "1", "a.png"])
    try tools.run("heif-enc", "-q", "80", "-p", "preset=ultrafast", "-t", "320", "a.png", "-o", "a.heic")
    try tools.run([
      "ffmpeg", "-f", "lavfi", "-i", "testsrc=s=640x480:r=10:d=4", "-c:v", "mpeg4", "-g", "10", "a.mp4",
    ])
    let rest = Boxes.box("free", Boxes.zeros(padding))
    var negative = HandmadeDNG(width: 640, height: 480)
    negative.preview = (try TestPhoto(width: 320, height: 240).bytes(), 320, 240)
    negative.padding = padding
    return [
      ("1.heic", try tools.bytes(of: "a.heic") + rest), ("2.mp4", try tools.bytes(of: "a.mp4") + rest),
      ("3.dng", negative.bytes), ("4.jpg", try photo(day: 3).bytes() + Boxes.zeros(padding)),
    ]
  }
}
