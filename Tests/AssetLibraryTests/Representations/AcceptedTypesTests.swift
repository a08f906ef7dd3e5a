import Testing

@testable import AssetLibrary

/// The types that a consumer accepts.
@Suite struct AcceptedTypesTests {
  @Test(arguments: [
    ("image/jpeg", "public.jpeg", true), ("image/jpeg", "public.png", false),
    (" IMAGE/JPEG ; q=1 , image/png", "public.png", true), ("image/*", "public.heic", true),
    ("image/*", "public.mpeg-4", false), ("video/*", "com.apple.quicktime-movie", true),
    (".heic", "public.heic", true), ("*.HEIC", "public.heic", true), (".jpeg", "public.jpeg", true),
    (".mov", "public.jpeg", false), ("*/*", "public.mpeg-4", true), ("*", "public.data", true),
    ("image/jpg", "public.jpeg", true), ("image/heif", "public.heic", true),
    // A raw format without a type of its own is still an image.
    ("image/*", "com.samsung.raw-image", true), ("application/pdf", "public.jpeg", false),
  ])
  func `A list accepts the types it names`(list: String, type: String, isAdmitted: Bool) throws {
    #expect(try AcceptedTypes(parsing: list).admits(typeIdentifier: type) == isAdmitted)
  }

  @Test(arguments: ["", ",", "jpeg", "image/", "/jpeg", "image/jp/eg", ".he ic", "*.[jJ]pg", "image/jpég"])
  func `An invalid list of types is rejected`(list: String) {
    #expect(throws: AcceptedTypesError.self) { try AcceptedTypes(parsing: list) }
  }

  @Test func `Accepted types are described in words`() throws {
    #expect(
      try AcceptedTypes(parsing: "image/jpeg,video/*,.heic,*/*").description
        == "JPEG, videos, .heic, anything")
  }
}
