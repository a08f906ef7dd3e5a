import Testing

@testable import FileChooser

@Suite struct ChooserRouteTests {
  private static func request(
    _ method: ChooserRequest.Method = .openFile, glob: String? = nil, wantsFolder: Bool = false
  ) -> ChooserRequest {
    var request = ChooserRequest(method: method, handle: "/h")
    request.currentFilter = glob.map { ChooserFilter(name: "", rules: [.glob($0)]) }
    request.wantsFolder = wantsFolder
    return request
  }

  @Test(arguments: [
    (request(), false, ChooserRoute.picker(.anything)),
    (request(), true, .other),
    (request(glob: "*"), true, .other),
    (request(glob: "*.png"), false, .picker(.types([".png"]))),
    (request(glob: "*.png"), true, .picker(.types([".png"]))),
    (request(glob: "*.pdf"), false, .other),
    (request(wantsFolder: true), false, .other),
    (request(.saveFile), false, .other),
    (request(.saveFiles, glob: "*.png"), false, .other),
  ]) func `A request is served by the right handler`(
    _ request: ChooserRequest, _ leavesAnyFile: Bool, _ route: ChooserRoute
  ) {
    #expect(ChooserRoute(request, leavesAnyFile: leavesAnyFile) == route)
  }
}
