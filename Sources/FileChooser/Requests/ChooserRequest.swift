import System

/// A request to the file chooser, decoded from the arguments of a call.
///
/// Source: `org.freedesktop.impl.portal.FileChooser` of xdg-desktop-portal.
package struct ChooserRequest: Hashable, Sendable {
  package enum Method: String, CaseIterable, Hashable, Sendable {
    case openFile = "OpenFile"
    case saveFile = "SaveFile"
    case saveFiles = "SaveFiles"
  }

  /// An additional question to the user, with its initial answer.
  package struct Choice: Hashable, Sendable {
    package var identifier: String
    package var selected: String
  }

  package var method: Method
  /// The D-Bus object path of the request, through which its caller can cancel it.
  package var handle: String
  package var title = ""
  /// Label of the confirming button, without its mnemonic.
  package var acceptLabel: String?
  package var allowsSeveral = false
  package var wantsFolder = false
  package var filters: [ChooserFilter] = []
  package var currentFilter: ChooserFilter?
  package var choices: [Choice] = []
  package var currentFolder: [UInt8]?
  /// Suggested name for the file to save.
  package var currentName: String?
  /// The existing file that the program wants to save again.
  package var currentFile: [UInt8]?
  /// The names of the files to save.
  package var names: [[UInt8]] = []

  package init(method: Method, handle: String) {
    self.method = method
    self.handle = handle
  }
}

extension ChooserRequest {
  /// Decodes the arguments `osssa{sv}`; options of unexpected types are ignored.
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

  /// The filter that applies; the user can't choose another one in tpick.
  package var filter: ChooserFilter? { currentFilter ?? filters.first }

  /// Removes GTK's mnemonics: one underscore marks the next letter, two underscores mean an underscore.
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
  /// Decodes `(ssa(ss)s)`: identifier, label, answers, and the initial one.
  init?(_ value: BusValue) {
    guard let fields = value.fields, fields.count == 4, let identifier = fields[0].string,
      let answers = fields[2].elements, let selected = fields[3].string
    else { return nil }
    // Without answers it is a check box.
    let first = answers.first?.fields?.first?.string ?? "false"
    self.init(identifier: identifier, selected: selected.isEmpty ? first : selected)
  }
}

/// The program that serves a request.
package enum ChooserRoute: Hashable, Sendable {
  /// tpick, with these types.
  case picker(AcceptedMedia)
  /// Another file chooser of the desktop, or a prompt in the terminal if none is installed.
  case other

  /// - Parameter leavesAnyFile: whether another chooser also serves requests that accept any file.
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

/// The tpick command line that serves a request.
package enum PickerCommand {
  /// - Parameters:
  ///   - program: path of tpick.
  ///   - source: absolute path of the folder to show; nil for the user's pictures.
  ///   - results: file for the URIs of the picks.
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

/// The title of a terminal window: the caller's title and its confirming button.
package enum WindowTitle {
  private static let limit = 200

  /// Returns the title without control characters, because the text comes from another program.
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

  /// Returns the sequence that sets the terminal's title (xterm's control sequences, OSC 2).
  package static func sequence(_ title: String) -> [UInt8] {
    Array("\u{1B}]2;\(title)\u{1B}\\".utf8)
  }
}
