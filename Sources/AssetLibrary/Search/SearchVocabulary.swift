/// The words that a search understands as dates and kinds: English ones, and those of the user's language.
public struct SearchVocabulary: Hashable, Sendable {
  /// The day that "yesterday" and "last summer" count from.
  public var today: AssetDate
  /// The months as they are suggested, from January on.
  public let monthNames: [String]
  /// The kinds as they are suggested, each under one name.
  let kindNames: [KindName]
  private var months: [String: Int] = [:]
  private var shortMonths: [String: Int] = [:]
  private var kinds: [String: PickerFilter.Name] = [:]

  /// A kind under the name by which it is suggested.
  struct KindName: Hashable, Sendable {
    var name: String
    var kind: PickerFilter.Name
  }

  private static let englishMonths = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
    "November", "December",
  ]

  /// - Parameters:
  ///   - monthNames: the twelve months in the user's language; those after them are other forms of the same twelve.
  ///   - shortMonthNames: their abbreviations.
  ///   - language: the code of the user's language (ISO 639-1), for the names of kinds.
  ///   - today: what words such as "yesterday" count from.
  public init(
    monthNames: [String] = [], shortMonthNames: [String] = [], language: String = "en",
    today: AssetDate = .now
  ) {
    self.today = today
    self.monthNames = monthNames.count >= 12 ? Array(monthNames.prefix(12)) : Self.englishMonths
    for (index, name) in (monthNames + shortMonthNames).enumerated() {
      let word = Self.word(name)
      // Some languages only have one form, which is the full one.
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

  /// A word as it is compared.
  static func fold(_ word: String) -> String { String(decoding: TextPattern.fold(word), as: UTF8.self) }

  private static func word(_ name: String) -> String {
    let folded = fold(name)
    return folded.last == "." ? String(folded.dropLast()) : folded
  }

  /// A month by its full name, folded.
  func month(named word: String) -> Int? { months[word] }

  /// A month by a short name, folded.
  func month(abbreviated word: String) -> Int? { shortMonths[word] }

  /// A kind by one of its names, in one word or several with blanks between them.
  func kind(named words: String) -> PickerFilter.Name? { kinds[Self.fold(words)] }
}

// MARK: Completion

extension SearchVocabulary {
  /// The names of kinds with a word that begins with a prefix, in their usual order, each kind once.
  public func kinds(beginningWith prefix: String) -> [String] {
    let prefix = TextPattern.fold(prefix)
    var found: Set<PickerFilter.Name> = [.hidden]
    return kindNames.filter { name in
      SearchText.hasWord(TextPattern.fold(name.name), beginningWith: prefix)
        && found.insert(name.kind).inserted
    }.map(\.name)
  }

  /// Dates in words that begin with a prefix: months, seasons, days and what came last.
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

// What kinds are called. The first name of each is the one that is suggested; capitals and accents don't count.

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

  /// By the codes of languages (ISO 639-1).
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
  /// What the first words say as a date or a kind, and how many of them say it; nil if they say neither.
  ///
  /// The longest date is taken, else the longest name of a kind.
  func meaning(of words: [String]) -> (count: Int, condition: AssetPredicate)? {
    let folded = words.prefix(DatePhrase.mostWords).map(Self.fold)
    for count in stride(from: folded.count, to: 0, by: -1) {
      if let span = DatePhrase(Array(folded.prefix(count)), in: self)?.span { return (count, span.predicate) }
    }
    for count in stride(from: folded.count, to: 0, by: -1) {
      // Whoever means hidden photos says so: no word alone may bring them up.
      if let kind = kind(named: folded.prefix(count).joined(separator: " ")), kind != .hidden {
        return (count, .filter(.matching(kind)))
      }
    }
    return nil
  }
}

/// How numbers, nouns and names stand in messages.
package enum Wording {
  /// "1 photo", "0 photos", "12 photos".
  /// - Parameter plural: nil = the singular with an s.
  package static func count(
    _ number: some BinaryInteger, _ singular: String, _ plural: String? = nil
  ) -> String {
    "\(number) \(noun(number, singular, plural))"
  }

  /// The form of a noun, or of a verb, that goes with a number: "photo" or "photos", "is" or "are".
  package static func noun(
    _ number: some BinaryInteger, _ singular: String, _ plural: String? = nil
  ) -> String {
    number == 1 ? singular : plural ?? singular + "s"
  }

  /// A noun, or an abbreviation of a format, behind its article: "a JPEG", "an AVI", "an MP4", "an image".
  package static func withArticle(_ words: String) -> String {
    "\(soundsLikeVowel(words) ? "an" : "a") \(words)"
  }

  /// Whether a word begins with the sound of a vowel: abbreviations without one in the second place are spelled out,
  /// others are spoken as words ("a RAF", "an RW2").
  private static func soundsLikeVowel(_ words: String) -> Bool {
    let letters = Array(words.unicodeScalars.prefix(2))
    guard let first = letters.first else { return false }
    let vowels = "aeiouAEIOU".unicodeScalars
    let isSpelled =
      letters.count == 1
      || first.properties.isUppercase && !letters[1].properties.isLowercase && !vowels.contains(letters[1])
    if isSpelled, first.properties.isUppercase { return "AEFHILMNORSX".unicodeScalars.contains(first) }
    // Eight, eleven and eighteen are none of our formats.
    return vowels.contains(first)
  }

  /// A name as it stands before a colon: in quotes where its ends would not be seen, since it is empty, or a blank or
  /// another colon stands there.
  package static func name(_ name: String) -> String {
    guard let first = name.first, let last = name.last else { return "''" }
    return first.isWhitespace || last.isWhitespace || last == ":" ? "'\(name)'" : name
  }
}
