import MediaFormats

/// Apple's names of types, and which of them is a kind of which.
package enum TypeIdentifier {
  /// A Live Photo: a still and a clip that belong together.
  package static let livePhoto = "com.apple.live-photo-bundle"

  /// Whether what has a type is a kind of another one: a "public.jpeg" is a "public.image".
  package static func conforms(_ type: String, to other: String) -> Bool {
    if type == other { return true }
    var kinds: Set<String> = ["public.item", "public.content"]
    guard let format = FileFormat(uniformTypeIdentifier: type) else {
      return type == livePhoto ? kinds.contains(other) : false
    }
    kinds.insert("public.data")
    if format.isVideo {
      kinds.formUnion(["public.movie", "public.video", "public.audiovisual-content"])
    } else {
      kinds.insert("public.image")
      if format.isRaw { kinds.insert("public.camera-raw-image") }
    }
    return kinds.contains(other)
  }
}
