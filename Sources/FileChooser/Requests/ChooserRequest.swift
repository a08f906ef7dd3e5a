import System

/// What a program asks of the file chooser, read from the arguments of a call.
///
/// Source: `org.freedesktop.impl.portal.FileChooser` of xdg-desktop-portal.
package struct ChooserRequest: Hashable, Sendable {
  package enum Method: String, CaseIterable, Hashable, Sendable {
    case openFile = "OpenFile"
    case saveFile = "SaveFile"
    case saveFiles = "SaveFiles"
  }

  /// A question beside the files, with the answer that is chosen at first.
  package struct Choice: Hashable, Sendable {
    package var identifier: String
    package var selected: String
  }

  package var method: Method
  /// The object by which the call can be ended.
  package var handle: String
  package var title = ""
  /// What stands on the button that confirms, without its mnemonic.
  package var acceptLabel: String?
  package var allowsSeveral = false
  package var wantsFolder = false
  package var filters: [ChooserFilter] = []
  package var currentFilter: ChooserFilter?
  package var choices: [Choice] = []
  package var currentFolder: [UInt8]?
  /// A suggested name of the file that is saved.
  package var currentName: String?
  /// The file that is saved again.
  package var currentFile: [UInt8]?
  /// The names of the files that are saved.
  package var names: [[UInt8]] = []

  package init(method: Method, handle: String) {
    self.method = method
    self.handle = handle
  }
}

extension ChooserRequest {
  /// Reads the arguments `osssa{sv}`; options of unexpected types are as if they were not there.
  /// - Returns: nil for arguments of another signature.
  package init?(_ method: Method, _ arguments: [BusValue]) {
    guard arguments.count == 5, case .objectPath(let handle) = arguments[0],
      case .string(let title) = arguments[3], case .options(let options) = arguments[4]
    else { return nil }
    self.init(method: method, handle: handle)
    self.title = title
    acceptLabel = options["accept_label"]?.string.map(Self.withoutMnemonic)
    allowsSeveral = options["multiple"]?.boolean ?? false
    wantsFolder = options["directory"]?.boolean ?? false
    filters = options["filters"]?.elements?.compactMap(ChooserFilter.init) ?? []
    currentFilter = options["current_filter"].flatMap(ChooserFilter.init)
    choices = options["choices"]?.elements?.compactMap(Choice.init) ?? []
    currentFolder = options["current_folder"]?.path
    currentName = options["current_name"]?.string
    currentFile = options["current_file"]?.path
    names = options["files"]?.elements?.compactMap(\.path) ?? []
  }

  /// The filter that counts: there is no way to change it in tpick.
  package var filter: ChooserFilter? { currentFilter ?? filters.first }

  /// GTK's mnemonics: an underline before a letter, two of them for one.
  private static func withoutMnemonic(_ label: String) -> String {
    var text = ""
    var isEscaped = false
    for character in label {
      if character == "_", !isEscaped {
        isEscaped = true
      } else {
        text.append(character)
        isEscaped = false
      }
    }
    return text
  }
}

extension ChooserRequest.Choice {
  /// Reads `(ssa(ss)s)`: identifier, label, answers, and the one that is chosen at first.
  init?(_ value: BusValue) {
    guard let fields = value.fields, fields.count == 4, let identifier = fields[0].string,
      let answers = fields[2].elements, let selected = fields[3].string
    else { return nil }
    // Without answers it is a box to tick.
    let first = answers.first?.fields?.first?.string ?? "false"
    self.init(identifier: identifier, selected: selected.isEmpty ? first : selected)
  }
}

/// Who serves a request.
package enum ChooserRoute: Hashable, Sendable {
  /// tpick, with these types.
  case picker(AcceptedMedia)
  /// Another file chooser of the desktop; where there is none, a prompt in the terminal.
  case other

  /// - Parameter leavesAnyFile: whether what is not confined to photos and videos is for another chooser too.
  package init(_ request: ChooserRequest, leavesAnyFile: Bool) {
    let media = AcceptedMedia(request.filter)
    guard request.method == .openFile, !request.wantsFolder, media != .nothing,
      media != .anything || !leavesAnyFile
    else {
      self = .other
      return
    }
    self = .picker(media)
  }
}

/// The command line of tpick that serves a request.
package enum PickerCommand {
  /// - Parameters:
  ///   - program: tpick's path.
  ///   - source: the folder to show, an absolute path; nil for the user's pictures.
  ///   - results: the file for the URIs of what is picked.
  package static func words(
    _ program: [UInt8], for request: ChooserRequest, _ media: AcceptedMedia, source: [UInt8]?,
    results: [UInt8]
  ) -> [[UInt8]] {
    var words = ["--limit", request.allowsSeveral ? "0" : "1", "--format", "uris"]
    if case .types(let types) = media {
      words += ["--representation", "automatic", "--accept", types.joined(separator: ",")]
    }
    words.append("-o")
    var command = [program] + words.map { Array($0.utf8) } + [results]
    if let source { command += [Array("--".utf8), source] }
    return command
  }
}

/// The title of a terminal's window: what the program asks for, and what it does with it.
package enum WindowTitle {
  private static let limit = 200

  /// Characters that act on terminals are left out: the text is the program's.
  package static func text(for request: ChooserRequest) -> String {
    let parts = [request.title, request.acceptLabel ?? ""].map { part in
      var text = ""
      text.unicodeScalars += part.unicodeScalars.filter { !ControlCharacters.contains($0) }
      return text.split(separator: " ").joined(separator: " ")
    }
    let title = parts.filter { !$0.isEmpty }
    let distinct = title.count == 2 && title[0] == title[1] ? [title[0]] : title
    return distinct.isEmpty ? "tpick" : String(distinct.joined(separator: " · ").prefix(limit))
  }

  /// The sequence that gives the title to the terminal (xterm's control sequences, OSC 2).
  package static func sequence(_ title: String) -> [UInt8] {
    Array("\u{1B}]2;\(title)\u{1B}\\".utf8)
  }
}
