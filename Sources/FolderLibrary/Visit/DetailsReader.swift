import AssetLibrary
import CodecProtocol
import Metadata
import SystemPackage

/// Reads the details of an asset that are not in the index from its files.
struct DetailsReader {
  let helper: CodecClient
  let reader: MetadataClient

  /// - Throws: `AssetError` if a file can't be read; damaged metadata is skipped.
  func details(of asset: Asset) throws(AssetError) -> AssetDetails {
    guard let resource = asset.resource(for: .unadjusted) else { return AssetDetails() }
    var facts = try facts(of: resource)
    for sidecar in asset.resources where sidecar.path.extension?.lowercased() == "xmp" {
      let file = try OpenFile(sidecar.path)
      if case .sidecar(let found) = try report(.sidecar, on: file, sidecar.path, by: reader) {
        facts.merge(sidecar: found)
      }
    }
    return AssetDetails(facts)
  }

  private func facts(of resource: AssetResource) throws(AssetError) -> MediaFacts {
    let file = try OpenFile(resource.path)
    switch try report(.medium, on: file, resource.path, by: reader) {
    case .medium(.media(_, let facts?)): return facts
    case .medium(.media(_, nil)):
      let report = try report(.foreign, on: file, resource.path, by: helper.metadata)
      if case .described(let facts) = report { return facts }
      return MediaFacts()
    case .medium, .sidecar, .described, .failed, .noMemory, .incomplete: return MediaFacts()
    }
  }

  /// Reads the metadata from a remote file's header, loading further ranges as needed.
  func facts(of header: HeaderFile, _ path: FilePath) throws(AssetError) -> MediaFacts {
    var loader: RangeLoader?
    var wanted: Range<Int>? = 0..<HeaderFile.step
    var kind = ReportRequest.Kind.medium
    while let range = wanted {
      try header.load(range) { false }
      let helper = kind == .foreign ? helper.metadata : reader
      switch try report(kind, on: header, path, by: helper, present: header.present.ranges) {
      case .medium(.media(_, let facts?)), .described(let facts): return facts
      case .medium(.media(_, nil)): kind = .foreign
      case .incomplete(let range):
        var current = loader ?? RangeLoader(present: header.present, byteCount: header.count)
        wanted = current.next(after: range)
        loader = current
      case .medium, .sidecar, .failed, .noMemory: wanted = nil
      }
    }
    return MediaFacts()
  }

  private func report(
    _ kind: ReportRequest.Kind, on file: any ResourceReader, _ path: FilePath, by helper: MetadataClient,
    present: [Range<Int>]? = nil
  ) throws(AssetError) -> MediaReport {
    guard let descriptor = file.descriptor else { return .medium(.nothing) }
    var request = ReportRequest(kind, byteCount: file.count)
    request.present = present
    let reports = helper.reports(on: [ReportedFile(descriptor, request)]) { _, wire throws(WireError) in
      try MediaReport(from: &wire, to: request)
    }
    switch reports.first {
    case .success(.failed(let reason)): throw AssetError(path.displayString, reason)
    case .success(.noMemory): throw AssetError(path.displayString, CodecError.noMemory.reason)
    case .success(let report): return report
    case .failure(let error): throw AssetError(path.displayString, error.reason)
    case nil: return .medium(.nothing)
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
    contentIdentifier = facts.contentIdentifier
    movie = facts.movie
  }
}
