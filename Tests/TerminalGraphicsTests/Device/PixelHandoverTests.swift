import Testing

@testable import TerminalGraphics

struct PixelHandoverTests {
  @Test(arguments: [
    (true, true, PixelHandover.Medium.sharedMemory), (true, false, .sharedMemory),
    (false, true, .temporaryFiles), (false, false, .sharedMemory),
  ])
  func `Files are used for terminals that do not read shared memory`(
    sharedMemory: Bool, temporaryFiles: Bool, medium: PixelHandover.Medium
  ) {
    var capabilities = TerminalCapabilities()
    capabilities.hasKittySharedMemory = sharedMemory
    capabilities.hasKittyTemporaryFiles = temporaryFiles
    #expect(capabilities.handover == medium)
  }
}
