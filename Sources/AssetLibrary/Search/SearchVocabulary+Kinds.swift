// What kinds are called. The first name of each is the one that is suggested; capitals and accents don't count.

extension SearchVocabulary {
  typealias KindWords = [(kind: PickerFilter.Name, words: [String])]

  static let englishKindWords: KindWords = [
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
  static let kindWords: [String: KindWords] = [
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
