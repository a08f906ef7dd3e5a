import Testing

@testable import MediaFormats

@Suite struct FormatTableTests {
  @Test(arguments: FileFormat.allCases)
  func `Each format has its row`(format: FileFormat) {
    #expect(FormatTable.row(of: format).format == format)
    #expect(!format.name.isEmpty && !format.suffixes.isEmpty && !format.uniformTypeIdentifier.isEmpty)
    #expect(FileFormat(uniformTypeIdentifier: format.uniformTypeIdentifier) == format)
    for suffix in format.suffixes {
      #expect(suffix == suffix.lowercased())
      #expect(FileFormat(suffix: suffix) == format)
      #expect(FileFormat(suffix: suffix.uppercased()) == format)
    }
    #expect(format.mimeType?.hasPrefix(format.isVideo ? "video/" : "image/") ?? (format == .srw))
    // Formats decoded here have their metadata read here too, and video formats are animated.
    #expect(format.decoder == .helper || format.factsReader == .builtIn)
    #expect(!format.isVideo || format.canBeAnimated)
    #expect(!format.isRaw || !format.canBeAnimated)
  }

  @Test func `Formats share no name, identifier or extension`() {
    let rows = FormatTable.rows
    #expect(rows.count == FileFormat.allCases.count)
    #expect(Set(rows.map(\.name)).count == rows.count)
    #expect(Set(rows.map(\.uniformTypeIdentifier)).count == rows.count)
    let mimeTypes = rows.compactMap(\.mimeType)
    #expect(Set(mimeTypes).count == mimeTypes.count)
    let suffixes = rows.flatMap(\.suffixes)
    #expect(Set(suffixes).count == suffixes.count)
  }

  @Test func `Six picture formats can be animated`() {
    let moving = FileFormat.allCases.filter { $0.canBeAnimated && !$0.isVideo }
    #expect(Set(moving) == [.png, .gif, .webp, .heic, .avif, .jpegXL])
  }

  @Test func `Camera sensor formats are raw`() {
    let raw = FileFormat.allCases.filter(\.isRaw)
    #expect(Set(raw) == [.dng, .cr2, .cr3, .nef, .arw, .orf, .rw2, .raf, .pef, .srw])
  }

  @Test func `Unknown names belong to no format`() {
    #expect(FileFormat(suffix: "txt") == nil)
    #expect(FileFormat(uniformTypeIdentifier: FileFormat.unknownTypeIdentifier) == nil)
  }
}
