import AssetLibrary

extension PickerState {
  mutating func openPrompt(_ purpose: Prompt.Purpose) -> [PickerEffect] {
    let text =
      switch purpose {
      case .search: library.userFilter.text
      case .album: sidebar.albums.filter
      case .jump: ""
      }
    input.prompt = Prompt(purpose: purpose, editor: LineEditor(text))
    return []
  }

  /// Handles a key while the prompt is open.
  mutating func type(_ key: Key) -> [PickerEffect] {
    guard var prompt = input.prompt else { return [] }
    // Typing a search moves no cursor: it stays on the first result.
    if grid.anchor == nil, prompt.purpose != .search { grid.anchor = current?.id }
    if key == .tab, prompt.purpose == .search, tabSearchesAllPhotos { return searchAllPhotos() }
    if let effects = choose(key) { return effects }
    if staysOpen(prompt), Self.leavesForResults(key) {
      self.input.prompt?.hidesFault = false
      return []
    }
    switch key {
    case .escape: return leavePrompt(prompt)
    case .enter: return endPrompt(prompt)
    // Nothing was typed whose results one could go to: what comes next is still meant for the prompt.
    case .up where prompt.editor.isEmpty, .down where prompt.editor.isEmpty: return []
    case .pageUp where prompt.editor.isEmpty, .pageDown where prompt.editor.isEmpty: return []
    case .up, .down, .pageUp, .pageDown, .tab, .backTab:
      // Leaves the prompt for the results.
      self.input.prompt = nil
      if prompt.purpose == .search { noteSearch() }
      if prompt.purpose == .jump || key == .tab || key == .backTab { return [] }
      return options.bindings.command(for: key).map { perform($0) } ?? []
    case .backspace where prompt.editor.isEmpty: return leavePrompt(prompt)
    default: break
    }
    if prompt.purpose == .jump, !Self.isDigitOrEdit(key) {
      return showNotice("digits only: a photo's number, or 2024, 202405, 20240531 for a date", .dim)
    }
    let before = prompt.editor.text
    guard prompt.editor.press(key) else { return [] }
    self.input.prompt = prompt
    return prompt.editor.text == before ? [] : edited(prompt)
  }

  /// Whether a key leaves a prompt and keeps its text.
  private static func leavesForResults(_ key: Key) -> Bool {
    switch key {
    case .enter, .up, .down, .pageUp, .pageDown, .tab, .backTab: true
    default: false
    }
  }

  /// What is wrong with the search, as far as it is told: not of a term that is still being typed.
  var fault: String? {
    input.prompt?.hidesFault == true ? nil : library.userFilter.parseError
  }

  /// Whether what is wrong with a search is in the term at the cursor, which is not complete yet.
  private func isFaultBeingTyped(_ editor: LineEditor) -> Bool {
    guard library.userFilter.parseError != nil else { return false }
    let before = editor.characters[..<editor.cursor]
    let isAtEnd = editor.cursor == editor.characters.count
    // A minus or a quote alone begins a term as well.
    let rest =
      SearchCompletion(editor)?.rest
      ?? (isAtEnd && before.last?.isWhitespace == false
        ? String(before[..<(before.lastIndex(where: \.isWhitespace) ?? 0)]) : nil)
    return rest.map {
      (try? SearchQuery(parsing: $0, in: options.search.vocabulary, isComplete: false)) != nil
    } ?? false
  }

  /// The most searches that are remembered.
  private static let mostRecentSearches = 5

  /// Remembers the search, to be suggested again.
  mutating func noteSearch() {
    let text = library.userFilter.text
    guard library.userFilter.search != nil, text.contains(where: { !$0.isWhitespace }) else { return }
    input.recentSearches.removeAll { $0 == text }
    input.recentSearches.insert(text, at: 0)
    input.recentSearches = Array(input.recentSearches.prefix(Self.mostRecentSearches))
  }

  /// Whether the prompt can't be left but with Esc: what is wrong with its text stays on the screen.
  func staysOpen(_ prompt: Prompt) -> Bool {
    prompt.purpose == .search && library.userFilter.parseError != nil
  }

  private static func isDigitOrEdit(_ key: Key) -> Bool {
    switch key {
    case .character(let character): ("0"..."9").contains(character)
    case .space: false
    default: true
    }
  }

  /// Inserts pasted text into the prompt, or opens a search for it.
  mutating func paste(_ text: String) -> [PickerEffect] {
    guard page == .library, input.overlay == nil, !text.isEmpty else { return [] }
    status.notice = nil
    if input.prompt == nil {
      guard allows(.search), !preview.isFullScreen, input.focus != .strip else { return [] }
      if grid.anchor == nil { grid.anchor = current?.id }
      _ = openPrompt(input.focus == .sidebar ? .album : .search)
    }
    guard var prompt = input.prompt else { return [] }
    let isJump = prompt.purpose == .jump
    prompt.editor.insert(isJump ? text.filter { ("0"..."9").contains($0) } : text)
    self.input.prompt = prompt
    return edited(prompt)
  }

  /// Follows a change of the prompt's text.
  mutating func edited(_ prompt: Prompt) -> [PickerEffect] {
    switch prompt.purpose {
    case .search:
      let before = library.userFilter.search
      library.userFilter.setSearchText(prompt.editor.text)
      let isBeingTyped = isFaultBeingTyped(prompt.editor)
      self.input.prompt?.hidesFault = isBeingTyped
      return library.userFilter.search == before ? [] : filterChanged()
    case .album:
      sidebar.albums.filter(by: prompt.editor.text)
      // Opens the first match, if the current album does not match.
      guard !sidebar.albums.found.contains(sidebar.target), let first = sidebar.albums.found.first else {
        return []
      }
      return enter(first)
    case .jump: return []
    }
  }

  private mutating func endPrompt(_ prompt: Prompt) -> [PickerEffect] {
    self.input.prompt = nil
    switch prompt.purpose {
    case .search:
      library.userFilter.trimText()
      noteSearch()
      return []
    case .album:
      // The album was chosen: all others are listed again.
      sidebar.albums.filter(by: "")
      return []
    case .jump:
      switch library.jumpTarget(prompt.editor.text) {
      case .period(let period, let index, let nearest):
        grid.column = nil
        let effects = moveCursor(to: index)
        guard let nearest else { return effects }
        let words = "\(noPhotos(of: period)): the nearest are from \(options.locale.day(nearest))"
        return effects + showNotice(words, .dim)
      case .number(let index):
        grid.column = nil
        return moveCursor(to: index)
      case nil:
        if prompt.editor.isEmpty { return [] }
        return showNotice(
          "there is no photo \(prompt.editor.text) among \(options.locale.number(library.assets.count))")
      }
    }
  }

  private mutating func leavePrompt(_ prompt: Prompt) -> [PickerEffect] {
    self.input.prompt = nil
    switch prompt.purpose {
    case .search:
      guard !library.userFilter.text.isEmpty else { return [] }
      let before = library.userFilter.search
      library.userFilter.setSearchText("")
      return before == nil ? [] : filterChanged()
    case .album: sidebar.albums.filter(by: "")
    case .jump: break
    }
    return []
  }
}

/// A line of input and its purpose.
struct Prompt: Hashable, Sendable {
  /// What the text is used for.
  enum Purpose: Hashable, Sendable {
    case search
    /// Finds an album by its title.
    case album
    /// Jumps to the number of a photo or to a date.
    case jump
  }

  var purpose: Purpose
  var editor: LineEditor
  /// Whether nothing is said of what is wrong with a search, since the term is still being typed.
  var hidesFault = false
}

/// An editable line of text with a cursor.
///
/// The cursor moves by characters (extended grapheme clusters).
struct LineEditor: Hashable, Sendable {
  /// The maximum number of characters, to bound pasted text.
  static let maximumLength = 500

  private(set) var characters: [Character] = []
  /// The number of characters before the cursor.
  private(set) var cursor = 0

  init(_ text: String = "") {
    insert(text)
  }

  /// A line with the cursor between two parts.
  init(_ head: String, before tail: String) {
    insert(head)
    let place = cursor
    insert(tail)
    cursor = min(place, characters.count)
  }

  var text: String { String(characters) }
  var isEmpty: Bool { characters.isEmpty }

  /// Inserts text at the cursor; line breaks and tabs become spaces, other control characters are dropped.
  mutating func insert(_ text: String) {
    let new = text.compactMap { character -> Character? in
      if character.isNewline || character == "\t" { return " " }
      let isControl = character.unicodeScalars.contains { $0.properties.generalCategory == .control }
      return isControl ? nil : character
    }
    let capacity = max(0, Self.maximumLength - characters.count)
    // A combining mark joins the character before it.
    let head = String(characters[..<cursor]) + String(new.prefix(capacity))
    let tail = characters[cursor...]
    characters = Array(head)
    cursor = characters.count
    characters = Array(String(characters) + String(tail))
    cursor = min(cursor, characters.count)
  }

  /// Handles an editing key.
  /// - Returns: whether the key was handled.
  mutating func press(_ key: Key) -> Bool {
    switch key {
    case .character(let character): insert(String(character))
    case .space: insert(" ")
    case .backspace: if cursor > 0 { remove(cursor - 1..<cursor) }
    case .delete: if cursor < characters.count { remove(cursor..<cursor + 1) }
    case .left: cursor = max(0, cursor - 1)
    case .right: cursor = min(characters.count, cursor + 1)
    case .home, .control("a"): cursor = 0
    case .end, .control("e"): cursor = characters.count
    case .control("u"): remove(0..<cursor)
    case .control("k"): remove(cursor..<characters.count)
    case .control("w"): remove(startOfWord..<cursor)
    default: return false
    }
    return true
  }

  private var startOfWord: Int {
    var start = cursor
    while start > 0, characters[start - 1].isWhitespace { start -= 1 }
    while start > 0, !characters[start - 1].isWhitespace { start -= 1 }
    return start
  }

  private mutating func remove(_ range: Range<Int>) {
    characters.removeSubrange(range)
    cursor = min(range.lowerBound, characters.count)
  }

  /// The part of the line around the cursor that fits into `width` cells, and the caret's column in it.
  func window(width: Int) -> (text: DisplayText, caret: Int) {
    guard width > 1 else { return (DisplayText(""), 0) }
    let before = DisplayText(String(characters[..<cursor]))
    let after = DisplayText(String(characters[cursor...]))
    // One cell is reserved for the caret.
    let shown = before.tail(width - 1)
    let rest = after.head(cells: width - 1 - shown.width)
    return (DisplayText(shown.string + rest.string), shown.width)
  }
}
