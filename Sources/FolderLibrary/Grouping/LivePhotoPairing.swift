import AssetLibrary
import MediaFormats
import Metadata

/// Pairs the pictures and videos of a folder that have the same content identifier, whatever their names are.
enum LivePhotoPairing {
  /// - Parameter folders: the indexes of the folder; several if it is known under several spellings.
  static func pair(in folders: [Int], _ model: LibraryModel) {
    model.change { state in
      for folder in folders { state.setNeedsPairing(false, folder: folder) }
      var stills: [UInt32: FetchHandle] = [:]
      var videos: [UInt32: FetchHandle] = [:]
      // Sorted by name, so that each scan makes the same pairs if an identifier occurs twice.
      let handles = folders.flatMap(state.contents).filter { state.row(of: $0).contentIdentifier != 0 }
      for handle in handles.sorted(by: state.pathPrecedes) {
        let row = state.row(of: handle)
        if row.mediaType == MediaType.video.number {
          if videos[row.contentIdentifier] == nil { videos[row.contentIdentifier] = handle }
        } else if row.subtypes & MediaSubtypes.livePhoto.rawValue == 0, state.canBeLive(handle) {
          if stills[row.contentIdentifier] == nil { stills[row.contentIdentifier] = handle }
        }
      }
      for (identifier, still) in stills {
        guard let video = videos[identifier] else { continue }
        var builder = SegmentBuilder()
        let (segment, clip) = (state.segment(of: still), state.segment(of: video))
        var row = state.row(of: still)
        row.subtypes |= MediaSubtypes.livePhoto.rawValue
        row.playbackStyle = PlaybackStyle.livePhoto.number
        let own = segment.files(of: row)
        for file in own { builder.add(file, named: segment.name(of: file)) }
        let paired = clip.files(of: state.row(of: video))
        for var file in paired {
          switch AssetResource.Kind.numbered[Int(file.kind)] {
          case .video: file.kind = AssetResource.Kind.pairedVideo.number
          case .fullSizeVideo:
            file.kind = AssetResource.Kind.fullSizePairedVideo.number
            row.flags.insert(.adjusted)
          default: break
          }
          builder.add(file, named: clip.name(of: file))
        }
        builder.add(row, ofLastFiles: own.count + paired.count)
        state.replace([still, video], with: builder.segment(folder: segment.folder))
      }
    }
  }
}

extension LibraryState {
  /// Whether the picture has a format of Live Photos.
  fileprivate func canBeLive(_ handle: FetchHandle) -> Bool {
    let segment = segment(of: handle)
    let format = segment.files(of: row(of: handle)).first.flatMap { FileFormat(rawValue: $0.format) }
    return format == .heic || format == .jpeg
  }
}
