import Pixels

// What of the structure goes along.
extension EXIFTree {
  /// The structure that a file made of this one gets.
  package func filtered(by policy: MetadataPolicy) -> EXIFTree {
    var tree = EXIFTree(isLittleEndian: isLittleEndian)
    let orientation = entry(0x0112, in: .main)
    switch policy.stripping {
    case .nothing:
      tree.entries = entries
      tree.entries[.main]?.removeAll { Self.isStructural($0.tag) }
    case .location:
      tree.entries[.main] = entries[.main]?.filter { Self.plainMain.contains($0.tag) }
      tree.entries[.photo] = entries[.photo]?.filter { Self.plainPhoto.contains($0.tag) }
      tree.entries[.interoperability] = entries[.interoperability]?.filter { $0.tag == 1 || $0.tag == 2 }
    case .all: break
    }
    if let size = policy.newSize {
      tree.describe(size)
    } else if let orientation, policy.stripping == .all, integer(orientation) != 1 {
      tree.entries[.main] = [orientation]
    }
    return tree
  }

  /// Says what is true of new pixels.
  private mutating func describe(_ size: PixelSize) {
    guard entries.values.contains(where: { !$0.isEmpty }) else { return }
    set(0x0112, in: .main, short: 1)
    set(0xA001, in: .photo, short: 1)
    set(0xA002, in: .photo, long: size.width)
    set(0xA003, in: .photo, long: size.height)
    // Says that the colors are Adobe RGB, where it says anything.
    entries[.interoperability] = nil
  }

  /// How a TIFF or raw file stores its picture, and blocks of metadata that have places of their own elsewhere.
  static func isStructural(_ tag: UInt16) -> Bool {
    switch tag {
    case 0x00FE...0x0103, 0x0106, 0x0107, 0x010A, 0x0111, 0x0115...0x0117, 0x011C, 0x0120...0x0129, 0x013D,
      0x0140...0x0159, 0x015B, 0x0200...0x0212, 0x02BC, 0x828D, 0x828E, 0x83BB, 0x8649, 0x8773, 0x935C,
      // DNG's own, and everything private to makers.
      0xC4A5...0xFFFF:
      true
    default: false
    }
  }

  /// Tags of the first directory that can't say where a picture was taken.
  private static let plainMain: Set<UInt16> = [
    0x010E, 0x010F, 0x0110, 0x0112, 0x011A, 0x011B, 0x0128, 0x0131, 0x0132, 0x013B, 0x013E, 0x013F, 0x0211,
    0x0213, 0x0214, 0x4746, 0x4749, 0x8298, 0x9C9B, 0x9C9C, 0x9C9D, 0x9C9E, 0x9C9F,
  ]

  /// The tags of EXIF 2.32 but for the maker's note and the comment, into which telephones write what they like; EXIF 3.0's texts come behind.
  private static let plainPhoto: Set<UInt16> = {
    var tags: Set<UInt16> = [0x829A, 0x829D, 0x8822, 0x8824, 0xA000, 0xA001, 0xA002, 0xA003, 0xA004]
    tags.formUnion([0x8827, 0x8828, 0x8830, 0x8831, 0x8832, 0x8833, 0x8834, 0x8835])
    tags.formUnion([0x9000, 0x9003, 0x9004, 0x9010, 0x9011, 0x9012, 0x9101, 0x9102])
    tags.formUnion(0x9201...0x920A)
    tags.formUnion([0x9214, 0x9290, 0x9291, 0x9292])
    tags.formUnion([0xA20B, 0xA20C, 0xA20E, 0xA20F, 0xA210, 0xA214, 0xA215, 0xA217])
    tags.formUnion([0xA300, 0xA301, 0xA302])
    tags.formUnion(0xA401...0xA40C)
    tags.formUnion([0xA420])
    tags.formUnion(0xA430...0xA435)
    tags.formUnion([0xA460, 0xA461, 0xA462, 0xA500])
    return tags
  }()
}
