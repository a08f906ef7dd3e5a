import Sandbox

/// The command lines of tpick that choose and copy the photos for a sandbox.
struct PhotoChoice {
  private let given: OptionWords
  private let listed: Set<String>
  private let shape: [String]
  /// Whether photos are granted unchanged.
  let isPlain: Bool
  private let basis: Basis
  /// The description of the command that gets the photos, for the user.
  private let recipient: String

  /// What decides which photos are granted.
  enum Basis: Hashable {
    /// The user picks them.
    case picking
    /// `--allow`, or the stored permission of the client, without asking.
    case settled
    /// The user's decision about the client, which has not been made yet.
    case question
  }

  /// The options of `run` that the picker does not have.
  static let own: Set<String> = ["--network", "--display", "--writable", "--location"]
  /// The options for the format, size and metadata of results.
  private static let shapes: Set<String> = [
    "--representation", "--accept", "--quality", "--max-size", "--strip",
  ]
  /// The limits, which requests of the portal replace with their own.
  private static let limits: Set<String> = ["-n", "--limit", "--limit-images", "--limit-videos"]
  /// The client and its access: a request of the portal goes to the user, who sees everything.
  private static let permission: Set<String> = ["--client", "--purpose", "--authorize", "--allow"]
  /// Absolute paths, each ended by NUL.
  private static let printing = ["--format", "paths", "--absolute", "--print0"]

  /// - Parameters:
  ///   - words: the options and sources of `run`.
  ///   - removesLocation: whether copies without location are made.
  ///   - recipient: the command that gets the photos and what it may do, for the picker's title.
  init(_ words: OptionWords, removesLocation: Bool, basis: Basis, recipient: String) {
    given = words
    self.recipient = recipient
    listed = OptionWords.all(of: List.self)
    var shape = given.words(of: Self.shapes)
    if removesLocation {
      // Of several options the last one counts.
      let removed = words.items.last { $0.option == "--strip" }.map(Self.value)?.lowercased()
      let parts = removed.map { $0.split(separator: ",").map(String.init) } ?? []
      if !parts.contains("location"), !parts.contains("all") {
        shape += ["--strip", (parts + ["location"]).joined(separator: ",")]
      }
    }
    self.shape = shape
    isPlain = shape.isEmpty
    self.basis = basis
  }

  /// Whether the user does not pick.
  var isSettled: Bool { basis != .picking }

  /// Asks the user about the client, if that comes first; prints nothing.
  var question: [[UInt8]]? {
    guard basis == .question else { return nil }
    let words = given.words(without: Self.own.union(Self.shapes).union(Self.limits))
    return Self.bytes(["pick", "--access-only"] + words)
  }

  /// Chooses the first photos; prints their paths.
  var first: [[UInt8]] {
    let without = given.words(without: Self.own.union(Self.shapes))
    if basis == .picking {
      return Self.bytes(["pick", "--recipient=\(recipient)"] + Self.printing + without)
    }
    let known = given.words(
      of: listed.subtracting(Self.own).subtracting(Self.shapes).subtracting(Self.limits))
    // If no source is named, the allowed files are the library.
    let sources = given.sources.isEmpty ? allowed : given.sources
    return Self.bytes(["list"] + Self.printing + known + sources)
  }

  /// Chooses photos for a request of the portal; prints their paths.
  func more(_ request: PortalRequest) -> [[UInt8]] {
    var words = given.words(without: Self.own.union(Self.shapes).union(Self.limits).union(Self.permission))
    words += [
      "--limit=\(request.limit)", "--limit-images=\(request.imageLimit)",
      "--limit-videos=\(request.videoLimit)",
    ]
    words += request.filters.map { "--filter=\($0)" }
    if let query = request.query {
      let before = given.items.last { $0.option == "--query" }.map(Self.value)
      words += ["--query=\(before.map { "(\($0)) (\(query))" } ?? query)"]
    }
    return Self.bytes(["pick"] + Self.printing + words)
  }

  /// Copies the photos whose paths it reads, each ended by NUL, with the requested format, size and metadata; prints
  /// the paths of the copies.
  func copying(to folder: [UInt8]) -> [[UInt8]] {
    let settings = given.words(of: ["--config", "--no-config", "--quiet", "--version-of"])
    return Self.bytes(["list"] + Self.printing + ["--sort", "given", "--read0"] + settings + shape)
      + [Array("--export".utf8), folder, Array("-".utf8)]
  }

  private var allowed: [String] { given.items.filter { $0.option == "--allow" }.map(Self.value) }

  /// The value of an option, from the same word or the next one.
  private static func value(of item: OptionWords.Item) -> String {
    guard item.words.count == 1, let equals = item.words[0].firstIndex(of: "=") else { return item.words[1] }
    return String(item.words[0][item.words[0].index(after: equals)...])
  }

  private static func bytes(_ words: [String]) -> [[UInt8]] { words.map(ArgumentBytes.bytes) }
}
