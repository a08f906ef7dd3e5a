import CLCMS

/// The ICC profile of the sRGB color space.
package enum SRGBProfile {
  /// The bytes of an sRGB profile (IEC 61966-2.1), identical in every run; empty if there is not enough
  /// memory.
  package static let bytes: [UInt8] = {
    guard let profile = cmsCreate_sRGBProfile() else { return [] }
    defer { cmsCloseProfile(profile) }
    var count: UInt32 = 0
    guard cmsSaveProfileToMem(profile, nil, &count) != 0, count >= 128 else { return [] }
    var profileBytes = [UInt8](repeating: 0, count: Int(count))
    guard cmsSaveProfileToMem(profile, &profileBytes, &count) != 0 else { return [] }
    // Set a fixed creation date (ICC.1:2022, 7.2.8), and clear the profile ID, which is optional (7.2.18).
    profileBytes.replaceSubrange(24..<36, with: [0x07, 0xCE, 0, 2, 0, 9, 0, 6, 0, 0, 0, 0])
    profileBytes.replaceSubrange(84..<100, with: repeatElement(0, count: 16))
    return profileBytes
  }()
}
