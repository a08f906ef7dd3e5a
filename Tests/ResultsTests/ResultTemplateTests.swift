import AssetLibrary
import FoundationEssentials
import Pixels
import Results
import SystemPackage
import Testing

/// User templates: their values, errors and output.
@Suite struct ResultTemplateTests {
  static let fields = [
    ("path", "/photos/2024/IMG_1.tar.jpg"), ("name", "IMG_1.tar.jpg"), ("stem", "IMG_1.tar"),
    ("extension", "jpg"), ("folder", "/photos/2024"), ("uri", "file:///photos/2024/IMG_1.tar.jpg"),
    ("id", "id-1"), ("localIdentifier", "id-1"), ("date", "2024-05-02T14:03:09+01:00"),
    ("creationDate", "2024-05-02T14:03:09+01:00"), ("creationTimestamp", "1714654989"),
    ("modified", "2024-12-30T00:00:00"), ("modificationDate", "2024-12-30T00:00:00"),
    ("modificationTimestamp", ""), ("creationDateSource", ""), ("type", "image"), ("mediaType", "image"),
    ("mediaSubtypes", "panorama, hdr"), ("playbackStyle", "image"), ("width", "4000"), ("pixelWidth", "4000"),
    ("height", "3000"), ("pixelHeight", "3000"), ("megapixels", "12"), ("duration", "1.5"),
    ("partStart", ""), ("partEnd", ""), ("keyPhotoTime", ""), ("isFavorite", "true"),
    ("isHidden", "false"), ("hasAdjustments", "false"), ("burstIdentifier", ""), ("location", "38.72,-9.14"),
    ("latitude", "38.72"),
    ("longitude", "-9.14"), ("camera", "Canon EOS 90D"), ("lens", "EF-S18-135mm"), ("isoSpeed", "200"),
    ("fNumber", "4"), ("exposureTime", "0.004"), ("focalLength", "35"), ("altitude", "-86.5"),
    ("title", "The harbor"), ("caption", "Boats in it"), ("keywords", "boats, sea"), ("people", "Ana Lima"),
    ("rating", "4"), ("contentType", "public.jpeg"), ("mimeType", "image/jpeg"), ("orientation", "6"),
    ("size", "1234"), ("fileSize", "1234"), ("albums", "photos, Favorites"),
    // The facts of a video, which `MovieFieldTests` test.
    ("container", ""), ("videoCodec", ""), ("videoProfile", ""), ("dynamicRange", ""), ("frameRate", ""),
    ("isVariableFrameRate", ""), ("rotation", ""), ("pixelAspectRatio", ""), ("audioCodec", ""),
    ("tracks", ""), ("chapters", ""), ("contentIdentifier", ""),
  ]

  @Test(arguments: fields)
  func `A field prints the known value`(name: String, expected: String) throws {
    #expect(try SampleAssets.text("{\(name)}") == "\(expected)\n")
  }

  @Test func `Every field is tested`() {
    #expect(Set(Self.fields.map(\.0)) == Set(ResultTemplate.fieldNames))
  }

  @Test(arguments: [(CreationDateSource.exif, "exif"), (.name, "name"), (.file, "file")])
  func `A date has its source`(source: CreationDateSource, word: String) throws {
    var asset = SampleAssets.asset()
    asset.creationDateSource = source
    #expect(try SampleAssets.text("{creationDateSource}", of: AssetRecord(asset)) == "\(word)\n")
  }

  @Test(arguments: [
    (4000, 3000, "12"), (5184, 3456, "17.9"), (640, 480, "0.3"), (100, 100, "0"), (0, 0, ""),
    (1_000_000, 1_000_000, "1000000"),
  ])
  func `Megapixels have one decimal, and are empty for an unknown size`(
    width: Int, height: Int, expected: String
  ) throws {
    var asset = SampleAssets.asset()
    asset.pixelSize = PixelSize(width: width, height: height)
    #expect(try SampleAssets.text("{megapixels}", of: AssetRecord(asset)) == "\(expected)\n")
  }

  @Test func `Unknown values are empty`() throws {
    var asset = SampleAssets.asset()
    (asset.location, asset.rating, asset.resources) = (nil, 0, [])
    let template = Self.fields.map { "{\($0.0)}" }.filter {
      ["camera", "lens", "rating", "location", "latitude", "path", "name", "extension", "keywords", "albums"]
        .contains($0.dropFirst().dropLast())
    }.joined(separator: "|")
    #expect(try SampleAssets.text(template, of: AssetRecord(asset)) == "|||||||||\n")
  }

  @Test(arguments: [
    (#"{path}\t{width}x{height}\n"#, "/a.jpg\t4000x3000\n"), ("a{{b}}c", "a{b}c\n"),
    (#"\\{{\r\0"#, "\\{\r\0"),
    ("", "\n"), (#"{name}\n\n"#, "a.jpg\n\n"), ("{name}\n", "a.jpg\n"), (#"{name}\0"#, "a.jpg\0"),
    ("é{name}", "éa.jpg\n"),
    ("{{{name}}}", "{a.jpg}\n"),
  ])
  func `Text is literal, with escapes and doubled braces`(template: String, expected: String) throws {
    #expect(try SampleAssets.text(template, of: SampleAssets.record(path: Array("/a.jpg".utf8))) == expected)
  }

  @Test(arguments: [
    ("{nope}", "unknown field 'nope'; fields are path, name, stem"), ("{}", "unknown field ''"),
    ("{resources}", "unknown field 'resources' (JSON has it)"), ("{path", "a '{' without its '}'"),
    ("path}", "a '}' without its '{'"), ("{path}}", "a '}' without its '{'"),
    (#"{path}\q"#, #"unknown escape '\q'"#),
    (#"{path}\"#, #"unknown escape '\'"#), ("{width:5}", "'width' has no formats"),
    ("{date:%Q}", "unknown conversion in the date format '%Q'"), ("{date:%}", "unknown conversion"),
    ("{date:%-}", "unknown conversion"), ("{Path}", "unknown field 'Path'"),
  ])
  func `Errors are named`(template: String, message: String) {
    let error = #expect(throws: FormatError.self) { try SampleAssets.text(template) }
    #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
  }

  @Test func `The bytes of paths and of the template survive`() throws {
    let path = Array("/p/".utf8) + (1...255).map { UInt8($0) }.filter { $0 != 0x2F } + Array(".jpg".utf8)
    let template = try ResultTemplate([0xFF] + Array("{path}|{name}".utf8) + [0])
    #expect(
      template.bytes(of: SampleAssets.record(path: path)) == [0xFF] + path + [0x7C] + path.dropFirst(3) + [0])
    #expect(!template.hasAmbiguousLineBreaks(isNulTerminated: false))
  }

  @Test(arguments: [
    ("/a", "a", "", "a", "/"), ("a.jpg", "a.jpg", "jpg", "a", "."),
    ("x/.hidden", ".hidden", "", ".hidden", "x"),
    ("./a.b.c", "a.b.c", "c", "a.b", "."),
  ])
  func `A path has parts`(
    path: String, name: String, fileExtension: String, stem: String, folder: String
  ) throws {
    let record = SampleAssets.record(path: Array(path.utf8))
    #expect(
      try SampleAssets.text("{name}|{extension}|{stem}|{folder}", of: record)
        == "\(name)|\(fileExtension)|\(stem)|\(folder)\n")
  }

  @Test(
    arguments: [
      ("{path}", [0x0A], [0], true), (#"{path}\n"#, [], [0], true), (#"{path}\0"#, [], [], true),
      ("{uri} {title}", [0x0A], [0], false), (#"{path}\t"#, [0x0A], [0], true),
    ] as [(String, [UInt8], [UInt8], Bool)])
  func `The terminator is added if the template has none`(
    text: String, line: [UInt8], nul: [UInt8], hasName: Bool
  ) throws {
    let template = try ResultTemplate(Array(text.utf8))
    #expect(template.terminator(isNulTerminated: false) == line)
    #expect(template.terminator(isNulTerminated: true) == nul)
    #expect(template.hasAmbiguousLineBreaks(isNulTerminated: false) == (hasName && !template.endsWithNUL))
    #expect(!template.hasAmbiguousLineBreaks(isNulTerminated: true))
  }

  @Test(arguments: [
    ("{path}", true), ("{title} {name}", true), ("{uri}", true), ("{title}", false),
    ("{date} {width} {albums}", false), ("path", false),
  ])
  func `A template with a file's location has as many results as there are files`(
    text: String, namesFiles: Bool
  ) throws {
    #expect(try ResultTemplate(Array(text.utf8)).namesFiles == namesFiles)
  }

  @Test(arguments: [
    ("{stem}", true), (".{stem}", true), ("..{stem}", true), ("...", true), ("{date:%Y}/{stem}", true),
    ("{date:%Y}/.{stem}/x", true), ("{stem}_{date:%d}/{stem}", true),
    ("a/{stem}", false), ("/{stem}", false), ("{stem}/x", false), ("../{date:%Y}", false),
    ("{date:%Y}/../{stem}", false), ("{date:%Y}/./x", false), ("{date:%Y}/..", false),
    ("/{date:%Y}/x", false),
    (".", false), ("..", false), (#"{stem}\n"#, false), (#"a\0{stem}"#, false),
  ])
  func `In a file name only a date may contain slashes, and no folder leads elsewhere`(
    text: String, isName: Bool
  ) throws {
    #expect(try ResultTemplate(Array(text.utf8)).isName == isName)
  }

  @Test func `A name is never changed, not even in a line`() throws {
    let record = SampleAssets.record(path: Array("/a\nb/c\rd.jpg".utf8))
    #expect(
      try SampleAssets.text("{path}|{name}|{caption}", of: record) == "/a\nb/c\rd.jpg|c\rd.jpg|Boats in it\n")
  }

  @Test func `Multi-line texts are kept if items end with NUL`() throws {
    let template = try ResultTemplate(Array("{caption}".utf8))
    #expect(
      template.bytes(of: SampleAssets.record(), isNulTerminated: true) == Array("Boats\r\nin it\0".utf8))
  }

  /// Line and record terminators, in the forms in which a text can contain them.
  static let endings = [
    "\0", "\n", "\r", "\r\n", "\u{0B}", "\u{0C}", "\u{85}", "\u{2028}", "\u{2029}", "\0\n\0",
  ]

  /// An asset in which every text from a file begins and ends with `ending`.
  private static func hostileRecord(_ ending: String) -> AssetRecord {
    let text = "\(ending)forged\(ending)/x\(ending)"
    var asset = SampleAssets.asset()
    asset.burstIdentifier = text
    var details = SampleAssets.details
    (details.camera, details.lens, details.title, details.caption) = (text, text, text, text)
    (details.keywords, details.people) = ([text, text], [text])
    return AssetRecord(
      asset, details: details, albums: [.init(localIdentifier: text, title: text, path: nil)])
  }

  @Test(arguments: fields.map(\.0), endings)
  func `No text of a file ends a record, whatever the terminator is`(field: String, ending: String) throws {
    let record = Self.hostileRecord(ending)
    for (text, isNulTerminated, terminator) in [
      ("{\(field)}", false, 0x0A), ("{\(field)}|{title}", true, 0), (#"{title}{\#(field)}\0"#, false, 0),
      (#"{\#(field)}{title}\n"#, false, 0x0A), (#"{\#(field)}\n"#, true, 0),
    ] as [(String, Bool, UInt8)] {
      let template = try ResultTemplate(Array(text.utf8))
      let bytes = template.bytes(of: record, isNulTerminated: isNulTerminated)
      #expect(bytes.filter { $0 == terminator }.count == 1 && bytes.last == terminator, "\(text)")
      // It terminates strings in C programs and file names.
      #expect(bytes.dropLast().contains(0) == false, "\(text)")
      if terminator == 0x0A {
        let line = String(decoding: bytes, as: UTF8.self).dropLast()
        #expect(!line.contains { $0.isNewline }, "\(text)")
      }
    }
    let name = try ResultTemplate(Array("{\(field)}_{title}".utf8)).name(of: record)
    #expect(name.count == 1 && !name[0].contains { [0, 0x0A, 0x0D, 0x2F].contains($0) })
  }

  /// Names that a shell, or a reader of CSV or JSON, would misinterpret.
  static let hostileNames = [
    "a b", "it's", "\"a\",b", "$(touch x)", "`x`", "a;b|c&d>e", "-n", "a,b;c\td", "\\'\\\"", "=1+2",
    "é\u{202E}",
    "\u{1B}[31m\u{7F}\u{9B}", "'", "''", "#", "~", "*?[a]", "!x",
  ]

  @Test(arguments: hostileNames)
  func `A quoted value is one word, one field, one string`(name: String) throws {
    var details = AssetDetails()
    details.title = name
    let record = AssetRecord(SampleAssets.asset(path: Array("/x/\(name)".utf8)), details: details)
    func text(_ template: String) throws -> String {
      String(try SampleAssets.text(template, of: record).dropLast())
    }
    for field in ["name", "title"] {
      let shell = try text("{\(field):sh}")
      #expect(shell.hasPrefix("'") && shell.hasSuffix("'"))
      #expect(shell.dropFirst().dropLast().replacing("'\\''", with: "").contains("'") == false)
      #expect(shell.dropFirst().dropLast().replacing("'\\''", with: "'") == name)
      let csv = try text("{\(field):csv}")
      #expect(csv == "\"\(name.replacing("\"", with: "\"\""))\"")
      let json = try text("{\(field):json}")
      #expect(json.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) })
      #expect(try JSONDecoder().decode(String.self, from: Data(json.utf8)) == name)
    }
  }

  @Test(arguments: [
    ("{width:json}", "4000"), ("{width:csv}", "4000"), ("{width:sh}", "'4000'"),
    ("{isFavorite:json}", "true"),
    ("{duration:json}", "1.5"), ("{keywords:json}", #"["boats","sea"]"#),
    ("{keywords:csv}", #""boats, sea""#),
    ("{location:json}", #"{"latitude":38.72,"longitude":-9.14}"#), ("{latitude:json}", "38.72"),
    ("{burstIdentifier:json}", "null"), ("{burstIdentifier:csv}", ""), ("{burstIdentifier:sh}", "''"),
    ("{albums:json}", #"["photos","Favorites"]"#), ("{caption:json}", #""Boats\r\nin it""#),
    ("{caption:csv}", #""Boats in it""#), ("{caption:sh}", "'Boats in it'"),
    ("{folder:json}", #""/photos/2024""#),
    ("{date:json}", #""2024-05-02T14:03:09+01:00""#), ("{date:csv:%d/%m/%Y}", #""02/05/2024""#),
    ("{date:sh:%H:%M}", "'14:03'"), ("{date:%H:sh}", "14:sh"), ("{date:sh}", "'2024-05-02T14:03:09+01:00'"),
  ])
  func `A value is quoted for its consumer`(template: String, expected: String) throws {
    #expect(try SampleAssets.text(template) == "\(expected)\n")
  }

  @Test func `A quoted name keeps its bytes, and a line break in it ends nothing`() throws {
    let path = Array("/a\n".utf8) + [0xFF] + Array("'b".utf8)
    let record = SampleAssets.record(path: path)
    let shell = try ResultTemplate(Array("{path:sh}".utf8))
    #expect(shell.bytes(of: record) == [0x27] + Array("/a\n".utf8) + [0xFF] + Array(#"'\''b'"#.utf8) + [0x0A])
    for quoting in ["sh", "json", "csv"] {
      let template = try ResultTemplate(Array("{path:\(quoting)}".utf8))
      #expect(!template.hasAmbiguousLineBreaks(isNulTerminated: false))
    }
    #expect(try ResultTemplate(Array("{path:sh}{name}".utf8)).hasAmbiguousLineBreaks(isNulTerminated: false))
    #expect(try SampleAssets.text("{path:json}", of: record) == "\"/a\\n\u{FFFD}'b\"\n")
  }

  @Test func `Values are escaped, the template's own text is not`() throws {
    let template = try ResultTemplate(Array(#"\t{name}\t"#.utf8))
    let bytes = template.bytes(of: SampleAssets.record(path: Array("/\t".utf8))) { value in
      value.map { $0 == 0x09 ? 0x3F : $0 }
    }
    #expect(bytes == Array("\t?\t\n".utf8))
  }

  @Test(arguments: [("{path}", false, false), ("{path}{lens}", true, false), ("{albums}", false, true)])
  func `Files and albums are read if a field requires them`(
    text: String, needsDetails: Bool, needsAlbums: Bool
  ) throws {
    let template = try ResultTemplate(Array(text.utf8))
    #expect(template.needsDetails == needsDetails)
    #expect(template.needsAlbums == needsAlbums)
  }
}
