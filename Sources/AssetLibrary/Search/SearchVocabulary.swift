/// The words for dates and kinds in searches: English ones, and those of the user's language.
public struct SearchVocabulary: Hashable, Sendable {
  /// The current day, for words such as "yesterday" and "last summer".
  public var today: AssetDate
  /// The names of the months in completions, January first.
  public let monthNames: [String]
  /// The names of kinds in completions, one for each kind and language.
  let kindNames: [KindName]
  private var months: [String: Int] = [:]
  private var shortMonths: [String: Int] = [:]
  private var kinds: [String: PickerFilter.Name] = [:]

  /// A kind and its name in completions.
  struct KindName: Hashable, Sendable {
    var name: String
    var kind: PickerFilter.Name
  }

  private static let englishMonths = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
    "November", "December",
  ]

  /// Creates a vocabulary.
  /// - Parameters:
  ///   - monthNames: the twelve months in the user's language; further elements are other forms of the same
  ///     twelve.
  ///   - shortMonthNames: their abbreviations.
  ///   - language: the code of the user's language (ISO 639-1), for the names of kinds.
  ///   - today: the current day.
  public init(
    monthNames: [String] = [], shortMonthNames: [String] = [], language: String = "en",
    today: AssetDate = .now
  ) {
    self.today = today
    self.monthNames = monthNames.count >= 12 ? Array(monthNames.prefix(12)) : Self.englishMonths
    for (index, name) in (monthNames + shortMonthNames).enumerated() {
      let word = Self.word(name)
      // A month without a shorter form, such as May, counts as a full name: `DatePhrase` tries those first.
      if index < monthNames.count { months[word] = index % 12 + 1 }
      shortMonths[word] = (index < monthNames.count ? index : index - monthNames.count) % 12 + 1
    }
    for (index, name) in Self.englishMonths.enumerated() {
      months[Self.word(name)] = index + 1
      shortMonths[String(Self.word(name).prefix(3))] = index + 1
    }
    shortMonths["sept"] = 9
    let own = Self.kindWords[language] ?? []
    var names: [KindName] = []
    for (kind, words) in own + Self.englishKindWords {
      for word in words where kinds[Self.fold(word)] == nil { kinds[Self.fold(word)] = kind }
      if let word = words.first { names.append(KindName(name: word, kind: kind)) }
    }
    kindNames = names
  }

  /// Returns a word without case and accents, for comparison.
  static func fold(_ word: String) -> String { String(decoding: TextPattern.fold(word), as: UTF8.self) }

  private static func word(_ name: String) -> String {
    let folded = fold(name)
    return folded.last == "." ? String(folded.dropLast()) : folded
  }

  /// Returns the month with a full name, which is folded.
  func month(named word: String) -> Int? { months[word] }

  /// Returns the month with an abbreviation, which is folded.
  func month(abbreviated word: String) -> Int? { shortMonths[word] }

  /// Returns the kind with a name, which may consist of several words.
  func kind(named words: String) -> PickerFilter.Name? { kinds[Self.fold(words)] }
}

// MARK: Completion

extension SearchVocabulary {
  /// Returns completions for kinds: names with a word that begins with a prefix, in their usual order, one
  /// for each kind.
  public func kinds(beginningWith prefix: String) -> [String] {
    let prefix = TextPattern.fold(prefix)
    var found: Set<PickerFilter.Name> = [.hidden]
    return kindNames.filter { name in
      SearchText.hasWord(TextPattern.fold(name.name), beginningWith: prefix)
        && found.insert(name.kind).inserted
    }.map(\.name)
  }

  /// Returns completions for dates: months, seasons, days and phrases such as "last week" that begin with a
  /// prefix.
  public func dates(beginningWith prefix: String) -> [String] {
    let prefix = TextPattern.fold(prefix)
    let months = monthNames + (monthNames == Self.englishMonths ? [] : Self.englishMonths)
    return (months + Self.datePhrases).filter { TextPattern.fold($0).starts(with: prefix) }
  }

  private static let datePhrases = [
    "today", "yesterday", "this week", "last week", "this month", "last month", "this year", "last year",
    "last spring", "last summer", "last autumn", "last winter", "spring", "summer", "autumn", "winter",
  ]
}

// The names of kinds. Completion offers the first name of each; case and accents are ignored.

extension SearchVocabulary {
  private typealias KindWords = [(kind: PickerFilter.Name, words: [String])]

  private static let englishKindWords: KindWords = [
    (.images, ["photos", "photo", "pictures", "picture", "images", "image"]),
    (.videos, ["videos", "video", "movies", "movie"]),
    (.livePhotos, ["live photos", "live photo", "live", "livephotos", "livephoto"]),
    (.bursts, ["bursts", "burst"]),
    (.panoramas, ["panoramas", "panorama"]),
    (.screenshots, ["screenshots", "screenshot"]),
    (
      .screenRecordings, ["screen recordings", "screen recording", "screenrecordings", "screenrecording"]
    ),
    (.depthEffectPhotos, ["portraits", "portrait", "deptheffectphotos", "deptheffectphoto"]),
    (.cinematicVideos, ["cinematic", "cinematicvideos", "cinematicvideo"]),
    (.slomoVideos, ["slo-mo", "slomo", "slow motion", "slomovideos", "slomovideo"]),
    (.timelapseVideos, ["time-lapse", "timelapse", "timelapses", "timelapsevideos", "timelapsevideo"]),
    (.spatialMedia, ["spatial", "spatialmedia"]),
    (.animated, ["animations", "animation", "animated", "gif", "gifs"]),
    (.raw, ["raw"]), (.hdr, ["hdr"]),
    (.selfies, ["selfies", "selfie"]),
    (.longExposures, ["long exposures", "long exposure", "longexposures", "longexposure"]),
    (.favorites, ["favorites", "favorite", "favourites", "favourite"]),
    (.hidden, ["hidden"]), (.edited, ["edited"]), (.geotagged, ["geotagged"]),
  ]

  /// The names by language code (ISO 639-1).
  private static let kindWords: [String: KindWords] = [
    "de": [
      (.images, ["Fotos", "Foto", "Bilder", "Bild"]),
      (.videos, ["Videos", "Video", "Filme", "Film"]),
      (.livePhotos, ["Live Fotos", "Live Foto", "Live-Fotos", "Live-Foto"]),
      (.bursts, ["Serien", "Serie", "Serienbilder", "Serienbild", "Serienaufnahmen", "Serienaufnahme"]),
      (.panoramas, ["Panoramen", "Panorama"]),
      (.screenshots, ["Bildschirmfotos", "Bildschirmfoto"]),
      (.screenRecordings, ["Bildschirmaufnahmen", "Bildschirmaufnahme"]),
      (.depthEffectPhotos, ["Porträts", "Porträt"]),
      (.slomoVideos, ["Zeitlupe", "Zeitlupen"]), (.timelapseVideos, ["Zeitraffer"]),
      (.animated, ["Animationen", "Animation", "animiert"]),
      (.longExposures, ["Langzeitbelichtungen", "Langzeitbelichtung"]),
      (.favorites, ["Favoriten", "Favorit"]), (.edited, ["bearbeitet"]),
    ],
    "fr": [
      (.images, ["photos", "photo", "images", "image"]),
      (.videos, ["vidéos", "vidéo", "films", "film"]),
      (.bursts, ["rafales", "rafale"]),
      (.panoramas, ["panoramas", "panorama", "panoramiques", "panoramique"]),
      (.screenshots, ["captures d’écran", "capture d’écran"]),
      (.screenRecordings, ["enregistrements d’écran", "enregistrement d’écran"]),
      (.depthEffectPhotos, ["portraits", "portrait"]),
      (.slomoVideos, ["ralentis", "ralenti"]), (.timelapseVideos, ["accélérés", "accéléré"]),
      (.animated, ["animations", "animation"]),
      (.longExposures, ["poses longues", "pose longue"]),
      (.favorites, ["favoris", "favori", "favorite", "favorites"]),
      (.edited, ["modifiées", "modifiée", "modifiés", "modifié"]),
    ],
    "es": [
      (.images, ["fotos", "foto", "imágenes", "imagen"]),
      (.videos, ["vídeos", "vídeo", "películas", "película"]),
      (.bursts, ["ráfagas", "ráfaga"]),
      (.panoramas, ["panorámicas", "panorámica"]),
      (.screenshots, ["capturas de pantalla", "captura de pantalla", "capturas", "captura"]),
      (.screenRecordings, ["grabaciones de pantalla", "grabación de pantalla"]),
      (.depthEffectPhotos, ["retratos", "retrato"]),
      (.slomoVideos, ["cámara lenta"]), (.timelapseVideos, ["cámara rápida"]),
      (.animated, ["animaciones", "animación"]),
      (.longExposures, ["largas exposiciones", "larga exposición"]),
      (.favorites, ["favoritos", "favorito", "favoritas", "favorita"]),
      (.edited, ["editadas", "editada", "editados", "editado"]),
    ],
    "it": [
      (.images, ["foto", "immagini", "immagine"]),
      (.videos, ["video", "filmati", "filmato"]),
      (.bursts, ["raffiche", "raffica"]),
      (.panoramas, ["panoramiche", "panoramica"]),
      (.screenshots, ["schermate", "schermata"]),
      (.screenRecordings, ["registrazioni schermo", "registrazione schermo"]),
      (.depthEffectPhotos, ["ritratti", "ritratto"]),
      (.slomoVideos, ["rallentatore"]),
      (.animated, ["animazioni", "animazione"]),
      (.longExposures, ["lunghe esposizioni", "lunga esposizione"]),
      (.favorites, ["preferiti", "preferito", "preferite", "preferita"]),
      (.edited, ["modificate", "modificata", "modificati", "modificato"]),
    ],
    "pt": [
      (.images, ["fotos", "foto", "imagens", "imagem"]),
      (.videos, ["vídeos", "vídeo", "filmes", "filme"]),
      (.bursts, ["sequências", "sequência"]),
      (.panoramas, ["panorâmicas", "panorâmica"]),
      (
        .screenshots,
        ["capturas de tela", "captura de tela", "capturas de ecrã", "captura de ecrã", "capturas", "captura"]
      ),
      (
        .screenRecordings,
        ["gravações de tela", "gravação de tela", "gravações de ecrã", "gravação de ecrã"]
      ),
      (.depthEffectPhotos, ["retratos", "retrato"]),
      (.slomoVideos, ["câmera lenta", "câmara lenta"]), (.timelapseVideos, ["lapso de tempo"]),
      (.animated, ["animações", "animação"]),
      (.longExposures, ["longas exposições", "longa exposição"]),
      (.favorites, ["favoritos", "favorito", "favoritas", "favorita"]),
      (.edited, ["editadas", "editada", "editados", "editado"]),
    ],
    "nl": [
      (.images, ["foto’s", "foto", "fotos", "afbeeldingen", "afbeelding"]),
      (.videos, ["video’s", "video", "films", "film"]),
      (.livePhotos, ["Live Photo’s", "live foto’s", "live foto"]),
      (.panoramas, ["panorama’s", "panorama"]),
      (.screenshots, ["schermafbeeldingen", "schermafbeelding", "schermfoto’s", "schermfoto"]),
      (.screenRecordings, ["schermopnamen", "schermopname", "schermopnames"]),
      (.depthEffectPhotos, ["portretten", "portret"]),
      (.slomoVideos, ["slowmotion"]),
      (.animated, ["animaties", "animatie"]),
      (.longExposures, ["lange belichtingen", "lange belichting"]),
      (.favorites, ["favorieten", "favoriet"]), (.edited, ["bewerkt"]),
    ],
  ]
}

extension SearchVocabulary {
  /// Parses a date or a kind at the start of a list of words.
  ///
  /// The longest date wins, otherwise the longest name of a kind.
  /// - Returns: the number of words and the condition; nil if the words start with neither.
  func meaning(of words: [String]) -> (count: Int, condition: AssetPredicate)? {
    let folded = words.prefix(DatePhrase.mostWords).map(Self.fold)
    for count in stride(from: folded.count, to: 0, by: -1) {
      if let span = DatePhrase(Array(folded.prefix(count)), in: self)?.span { return (count, span.predicate) }
    }
    for count in stride(from: folded.count, to: 0, by: -1) {
      // Hidden photos require an explicit search such as `type:hidden`: a plain word must not show them.
      if let kind = kind(named: folded.prefix(count).joined(separator: " ")), kind != .hidden {
        return (count, .filter(.matching(kind)))
      }
    }
    return nil
  }
}

/// Formats counts, nouns and names in messages.
package enum Wording {
  /// Returns a count with its noun: "1 photo", "0 photos", "12 photos".
  /// - Parameter plural: nil = the singular with an s.
  package static func count(
    _ number: some BinaryInteger, _ singular: String, _ plural: String? = nil
  ) -> String {
    "\(number) \(noun(number, singular, plural))"
  }

  /// Returns the form of a noun or verb for a number: "photo" or "photos", "is" or "are".
  package static func noun(
    _ number: some BinaryInteger, _ singular: String, _ plural: String? = nil
  ) -> String {
    number == 1 ? singular : plural ?? singular + "s"
  }

  /// Returns a noun or the abbreviation of a format with its article: "a JPEG", "an AVI", "an MP4", "an
  /// image".
  package static func withArticle(_ words: String) -> String {
    "\(soundsLikeVowel(words) ? "an" : "a") \(words)"
  }

  /// Whether a word begins with a vowel sound.
  ///
  /// Abbreviations without a vowel in second place are spelled out ("an RW2"); others are pronounced as words
  /// ("a RAF").
  private static func soundsLikeVowel(_ words: String) -> Bool {
    let letters = Array(words.unicodeScalars.prefix(2))
    guard let first = letters.first else { return false }
    let vowels = "aeiouAEIOU".unicodeScalars
    let isSpelled =
      letters.count == 1
      || first.properties.isUppercase && !letters[1].properties.isLowercase && !vowels.contains(letters[1])
    if isSpelled, first.properties.isUppercase { return "AEFHILMNORSX".unicodeScalars.contains(first) }
    // Digits count as consonants: no format name begins with 8, 11 or 18.
    return vowels.contains(first)
  }

  /// Returns a name for use before a colon: quoted if it is empty, starts or ends with whitespace, or ends
  /// with a colon, so that its ends are visible.
  package static func name(_ name: String) -> String {
    guard let first = name.first, let last = name.last else { return "''" }
    return first.isWhitespace || last.isWhitespace || last == ":" ? "'\(name)'" : name
  }
}
