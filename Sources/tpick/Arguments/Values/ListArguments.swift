import AssetLibrary
import Results
import SystemPackage

// Values that are comma-separated lists of words.

extension PickerConfiguration.Capabilities {
  /// The parts of the picker that can be turned off.
  static let parts: [(name: String, value: Self)] = [
    ("search", .search), ("collections", .collectionNavigation), ("actions", .selectionActions),
    ("staging", .stagingArea), ("preview", .preview),
  ]

  /// - Throws: `ArgumentProblem` for an unknown part.
  init(argument list: String) throws(ArgumentProblem) {
    self = try Self.union(of: list, Self.parts, kind: "part")
  }
}

extension CollectionTypes {
  /// The kinds of albums.
  static let kinds: [(name: String, value: Self)] = [
    ("smart", .smartAlbum), ("folders", .album), ("moments", .moment),
  ]

  /// - Throws: `ArgumentProblem` for an unknown kind.
  init(argument list: String) throws(ArgumentProblem) {
    self = try Self.union(of: list, Self.kinds, kind: "kind")
  }
}

/// The value of `--strip`: which metadata is removed.
struct StrippedMetadata: OptionSet {
  let rawValue: UInt8

  static let location = StrippedMetadata(rawValue: 1 << 0)
  static let captions = StrippedMetadata(rawValue: 1 << 1)
  static let all = StrippedMetadata(rawValue: 1 << 2)

  static let kinds: [(name: String, value: Self)] = [
    ("location", .location), ("captions", .captions), ("all", .all),
  ]

  init(rawValue: UInt8) { self.rawValue = rawValue }

  /// - Throws: `ArgumentProblem` for an unknown kind.
  init(argument list: String) throws(ArgumentProblem) {
    self = try Self.union(of: list, Self.kinds, kind: "value")
  }
}

extension OptionSet {
  fileprivate static func union(
    of list: String, _ known: [(name: String, value: Self)], kind: String
  ) throws(ArgumentProblem) -> Self {
    var all: Self = []
    for word in list.split(separator: ",", omittingEmptySubsequences: false) {
      guard let match = known.first(where: { $0.name == word.lowercased() }) else {
        throw ArgumentProblem(word, isNoneOf: known.map(\.name), kind: kind)
      }
      all.formUnion(match.value)
    }
    return all
  }
}

extension FieldSelection {
  /// - Throws: `ArgumentProblem` for an unknown field.
  init(argument list: String) throws(ArgumentProblem) {
    do {
      try self.init(list)
    } catch {
      throw ArgumentProblem("\(error)")
    }
  }
}

extension AcceptedTypes {
  /// - Throws: `ArgumentProblem` for an invalid type.
  init(argument list: String) throws(ArgumentProblem) {
    do {
      try self.init(parsing: list)
    } catch {
      throw ArgumentProblem("\(error)")
    }
  }
}

/// A path in an argument or a list: either plain, or a `file://` URI.
enum PathArgument {
  /// The path of an argument.
  static func path(_ word: String) -> FilePath { path(ArgumentBytes.bytes(word)) }

  /// The path of a line.
  static func path(_ bytes: some Sequence<UInt8>) -> FilePath {
    let bytes = Array(bytes)
    // Lists of URIs (RFC 2483) end their lines with CR and LF.
    let uri =
      bytes.starts(with: "file:".utf8)
      ? FileURI.path(of: String(decoding: bytes.last == 0x0D ? bytes.dropLast() : bytes, as: UTF8.self)) : nil
    return FilePath(bytes: uri ?? bytes)
  }

  /// The paths of a list, separated by NUL if there are any, else one per line.
  static func paths(inList bytes: [UInt8]) -> [FilePath] {
    bytes.split(separator: bytes.contains(0) ? 0 : 0x0A).map(path)
  }
}

/// The value of `--format`: the name of a format, or a template.
enum FormatArgument<Name: WordArgument & Sendable>: Sendable {
  case named(Name)
  case template(ResultTemplate)

  /// The named formats.
  static var names: [String] { Name.choices.map(\.word) }

  /// - Throws: `ArgumentProblem` for anything else.
  init(_ word: String) throws(ArgumentProblem) {
    let bytes = ArgumentBytes.bytes(word)
    if ResultTemplate.isTemplate(bytes) {
      do {
        self = .template(try ResultTemplate(bytes))
      } catch {
        throw ArgumentProblem("\(error)")
      }
    } else if let name = Name.choice(word) {
      self = .named(name)
    } else {
      let problem = ArgumentProblem(word, isNoneOf: Self.names, kind: "format")
      throw ArgumentProblem("\(problem), or a template such as '{path}\\t{date}'")
    }
  }
}
