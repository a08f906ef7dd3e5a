extension String {
  /// Where the bytes of `word` first stand among those of this text, as an offset.
  ///
  /// Looks at bytes where the standard library would look at characters: names are asked a hundred thousand
  /// times, for words of ASCII, and byte for byte is right there.
  func byteOffset(of word: StaticString) -> Int? {
    var text = self
    return text.withUTF8 { text in
      word.withUTF8Buffer { word in
        guard let first = word.first, text.count >= word.count else { return nil }
        for start in 0...text.count - word.count where text[start] == first {
          if (1..<word.count).allSatisfy({ text[start + $0] == word[$0] }) { return start }
        }
        return nil
      }
    }
  }
}
