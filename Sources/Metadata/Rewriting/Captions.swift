/// What counts as a caption in each kind of metadata: titles, descriptions and comments, and the name of who wrote
/// them.
package enum Captions {
  /// Tags of EXIF: ImageDescription, UserComment, Windows' title, comment and subject, and the ImageTitle of EXIF 3.0.
  static let tags: Set<UInt16> = [0x010E, 0x9286, 0x9C9B, 0x9C9C, 0x9C9F, 0xA436]

  /// Datasets of IPTC's application record: object name, headline, caption and its writer.
  static let datasets: Set<UInt8> = [5, 105, 120, 122]

  /// Properties of XMP, as the parser passes them: the namespace, a space, the local name.
  static let properties: Set<String> = Set(
    [
      "http://purl.org/dc/elements/1.1/": ["title", "description"],
      "http://ns.adobe.com/photoshop/1.0/": ["Headline", "CaptionWriter"],
      "http://ns.adobe.com/tiff/1.0/": ["ImageDescription"],
      "http://ns.adobe.com/exif/1.0/": ["UserComment"],
      "http://cipa.jp/exif/1.0/": ["ImageTitle"],
      "http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/": ["AltTextAccessibility", "ExtDescrAccessibility"],
      "http://ns.adobe.com/xap/1.0/": ["Title", "Description"],
      "http://ns.adobe.com/xmp/1.0/DynamicMedia/": ["logComment"],
      "http://ns.acdsee.com/iptc/1.0/": ["caption"],
      "http://www.digikam.org/ns/1.0/": ["CaptionsAuthorNames", "CaptionsDateTimeStamps"],
      "http://www.metadataworkinggroup.com/schemas/regions/": ["Description"],
    ].flatMap { space, names in names.map { "\(space) \($0)" } })

  /// Returns whether a text chunk of a PNG is a caption, given its keyword; ImageMagick writes "exif:UserComment".
  static func isKeyword(_ keyword: String) -> Bool {
    let word = keyword.lowercased()
    return keywords.contains(word.hasPrefix("exif:") ? String(word.dropFirst(5)) : word)
  }

  private static let keywords: Set<String> = [
    "title", "description", "comment", "caption", "headline", "subject", "imagedescription", "usercomment",
    "xptitle", "xpcomment", "xpsubject",
  ]

  /// Four-character codes of user data and of iTunes' list: QuickTime's and 3GPP's titles, descriptions and comments.
  static let codes: Set<UInt32> = [
    0xA96E_616D, 0xA963_6D74, 0xA964_6573, 0xA969_6E66, 0x6465_7363, 0x6C64_6573, 0x7469_746C, 0x6473_6370,
  ]

  /// Returns whether a tag of a video is a caption, given its name in any of the containers:
  /// "com.apple.quicktime.description", "TITLE", "comment-eng".
  package static func isTag(_ name: some StringProtocol) -> Bool {
    let word = name.lowercased().split(separator: "-").first.map(String.init) ?? ""
    let prefix = "com.apple.quicktime."
    return names.contains(word.hasPrefix(prefix) ? String(word.dropFirst(prefix.count)) : word)
  }

  private static let names: Set<String> = [
    "title", "displayname", "description", "comment", "information", "synopsis", "summary", "subject",
    "caption",
  ]
}
