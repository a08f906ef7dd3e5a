import Testing

@testable import FileChooser

@Suite struct AcceptedMediaTests {
  private static let jpeg = [".jpg", ".jpeg", ".jpe", ".jfif"]

  @Test(arguments: [
    (ChooserFilter.Rule.glob("*.jpg"), AcceptedMedia.types([".jpg"])),
    (.glob("*.JPG"), .types([".jpg"])),
    (.glob("*.[jJ][pP][gG]"), .types([".jpg"])),
    (.glob("*.jp*"), .types([".jpg", ".jpeg", ".jpe", ".jp2", ".jpf", ".jpx", ".jpc"])),
    (.glob("*.[0-9]*"), .types([".3gp", ".3g2", ".3gpp"])),
    (.glob("IMG_*.heic"), .types([".heic"])),
    (.glob("*.tar.png"), .types([".png"])),
    (.glob("*"), .anything),
    (.glob("*.*"), .anything),
    (.glob("*jpg"), .types([".jpg"])),
    (.glob("*.pdf"), .nothing),
    (.glob(""), .nothing),
    (.glob("photo"), .nothing),
    (.mimeType("image/jpeg"), .types(["image/jpeg"])),
    (.mimeType("Image/JPEG; q=1"), .types(["image/jpeg"])),
    (.mimeType("image/*"), .types(["image/*"])),
    (.mimeType("video/*"), .types(["video/*"])),
    (.mimeType("image/heif"), .types(["image/heif"])),
    (.mimeType("*/*"), .anything),
    (.mimeType("application/octet-stream"), .anything),
    (.mimeType("application/pdf"), .nothing),
    (.mimeType("audio/*"), .nothing),
    (.mimeType("image/jpeg,*/*"), .nothing),
    (.mimeType(".jpg"), .nothing),
    (.mimeType("image"), .nothing),
    (.mimeType(""), .nothing),
  ]) func `A rule accepts matching files`(_ rule: ChooserFilter.Rule, _ media: AcceptedMedia) {
    #expect(AcceptedMedia(ChooserFilter(name: "", rules: [rule])) == media)
  }

  @Test(arguments: [
    ([ChooserFilter.Rule](), AcceptedMedia.nothing),
    (
      [.glob("*.pdf"), .glob("*.png"), .mimeType("image/png"), .glob("*.png")], .types([".png", "image/png"])
    ),
    ([.glob("*.png"), .glob("*"), .glob("*.pdf")], .anything),
    ([.glob("*.pdf"), .mimeType("text/plain")], .nothing),
  ]) func `Rules are alternatives`(_ rules: [ChooserFilter.Rule], _ media: AcceptedMedia) {
    #expect(AcceptedMedia(ChooserFilter(name: "", rules: rules)) == media)
  }

  @Test func `Without a filter everything is accepted`() { #expect(AcceptedMedia(nil) == .anything) }

  @Test(arguments: [
    (AcceptedMedia.anything, "a.jpg", true),
    (.anything, "a.b.MP4", true),
    (.anything, "a.pdf", false),
    (.anything, "jpg", false),
    (.nothing, "a.jpg", false),
    (.types([".jpg"]), "a.jpg", true),
    // Files that can be converted to JPEG.
    (.types(["image/jpeg"]), "a.heic", true),
    (.types(["image/png"]), "a.heic", true),
    (.types(["image/gif"]), "a.heic", false),
    (.types(["image/*"]), "a.mov", false),
    (.types(["video/mp4"]), "a.mov", true),
    (.types(["video/webm"]), "a.mov", false),
  ]) func `A file satisfies the accepted types`(_ media: AcceptedMedia, _ name: String, _ isServed: Bool) {
    #expect(media.isServed(by: name) == isServed)
  }
}
