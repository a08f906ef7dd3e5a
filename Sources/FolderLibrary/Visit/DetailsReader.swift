import AssetLibrary
import CodecProtocol
import Metadata
import SystemPackage

/// Reads what an asset's files tell beyond what the index keeps.
struct DetailsReader {
  let helper: CodecHelper

  /// - Throws: `AssetError` when a file can't be read; facts that are damaged are left out.
  func details(of asset: Asset) throws(AssetError) -> AssetDetails {
    guard let resource = asset.resource(for: .unadjusted) else { return AssetDetails() }
    var facts = try facts(of: resource)
    for sidecar in asset.resources where sidecar.path.extension?.lowercased() == "xmp" {
      let file = try OpenFile(sidecar.path)
      facts.merge(sidecar: try file.bytes(in: 0..<min(file.count, FileFinding.longestSidecar)))
    }
    return AssetDetails(facts)
  }

  private func facts(of resource: AssetResource) throws(AssetError) -> MediaFacts {
    let file = try OpenFile(resource.path)
    let reading: MediaReader.Reading
    do {
      reading = try MediaReader.read(
        from: DescriptorSource(descriptor: file.handle.rawValue), byteCount: file.count)
    } catch {
      throw AssetError(resource.path.displayString, error.reason)
    }
    switch reading {
    case .media(_, let facts?): return facts
    case .media(_, nil):
      do throws(CodecError) {
        return MediaFacts(try helper.facts(of: file.handle.rawValue))
      } catch {
        throw AssetError(resource.path.displayString, error.reason)
      }
    case .damaged, .nothing: return MediaFacts()
    }
  }
}

extension AssetDetails {
  init(_ facts: MediaFacts) {
    self.init()
    camera = CameraName.text(make: facts.make, model: facts.model)
    lens = facts.lens
    isoSpeed = facts.isoSpeed
    fNumber = facts.fNumber
    exposureTime = facts.exposureTime
    focalLength = facts.focalLength
    altitude = facts.coordinate?.altitude
    rating = facts.rating
    keywords = facts.keywords
    title = facts.title
    caption = facts.caption
    people = facts.people
  }
}
