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
