import AssetLibrary
import CursesHost
import FolderLibrary
import Imaging
import PickerRuntime
import Pixels
import SystemPackage
import TerminalGraphics

/// Draws files one below the other and plays those that are animated; without a terminal, draws them as stills.
struct AnimationSheet {
  let sheet: PictureSheet

  /// Draws and plays files in order.
  /// - Throws: `Failure` if standard output can't be written.
  func draw(_ files: [FilePath], of library: ShowLibrary) throws(Failure) -> ExitStatus {
    let canvas = sheet.canvas
    if canvas.isBlank { return try sheet.draw(files, of: library) }
    guard let terminal = canvas.terminal else {
      Messages.warn("show --animate: standard output is not a terminal: drawing first frames")
      return try sheet.draw(files, of: library)
    }
    var player: InlinePlayer?
    var status = ExitStatus.success
    var stills: [FilePath] = []
    /// Draws the stills before the next animated file.
    func drawStills() throws(Failure) {
      defer { stills = [] }
      if !stills.isEmpty, try sheet.draw(stills, of: library) != .success { status = .failure }
    }
    for (file, asset) in zip(files, library.assets(at: files)) {
      guard let asset, !asset.isBroken, asset.playableResource() != nil else {
        stills.append(file)
        continue
      }
      try drawStills()
      do throws(TerminalError) {
        let ready: InlinePlayer
        if let player { ready = player } else { ready = try InlinePlayer(on: terminal, kitty: canvas.kitty) }
        player = ready
        if case .failed(let error) = try play(asset, library.images, ready) {
          Messages.warn(library.named(error, of: file).description)
          status = .failure
        }
      } catch {
        throw .error(error.description)
      }
    }
    try drawStills()
    return status
  }

  private func play(
    _ asset: Asset, _ pipeline: ImagePipeline, _ player: InlinePlayer
  ) throws(TerminalError) -> InlinePlayer.Ending {
    let (encoder, backdrop) = (sheet.canvas.animationEncoder, sheet.canvas.backdrop)
    let request = FrameRequest(asset: asset, targetSize: encoder.geometry.pixels(for: sheet.canvas.cells))
    return try player.play { cancellation throws(AssetError) in
      try pipeline.frames(of: request, cancellation: cancellation)
    } encode: {
      encoder.encode($0, over: backdrop)
    }
  }
}
