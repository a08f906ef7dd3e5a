import CLCMS

/// ICC profiles, made by Little CMS.
package enum TestProfiles {
  /// sRGB itself.
  package static func sRGB() throws -> [UInt8] { try bytes(of: cmsCreate_sRGBProfile()) }

  /// Display P3's primaries (SMPTE RP 431-2 with D65) and a plain exponent of 2.2.
  package static func displayP3() throws -> [UInt8] {
    let curve = cmsBuildGamma(nil, 2.2)
    defer { cmsFreeToneCurve(curve) }
    var white = cmsCIExyY(x: 0.3127, y: 0.3290, Y: 1)
    var primaries = cmsCIExyYTRIPLE(
      Red: cmsCIExyY(x: 0.680, y: 0.320, Y: 1), Green: cmsCIExyY(x: 0.265, y: 0.690, Y: 1),
      Blue: cmsCIExyY(x: 0.150, y: 0.060, Y: 1))
    var curves: [OpaquePointer?] = [curve, curve, curve]
    return try bytes(of: cmsCreateRGBProfile(&white, &primaries, &curves))
  }

  /// Gray with an exponent.
  package static func grey(exponent: Double) throws -> [UInt8] {
    let curve = cmsBuildGamma(nil, exponent)
    defer { cmsFreeToneCurve(curve) }
    return try bytes(of: cmsCreateGrayProfile(cmsD50_xyY(), curve))
  }

  /// Four inks that are darker than multiplied: each transmits the square of what is left of the paper.
  package static func inks() throws -> [UInt8] {
    let profile = cmsCreateProfilePlaceholder(nil)
    cmsSetProfileVersion(profile, 2.1)
    cmsSetDeviceClass(profile, cmsSigOutputClass)
    cmsSetColorSpace(profile, cmsSigCmykData)
    cmsSetPCS(profile, cmsSigLabData)
    let pipeline = cmsPipelineAlloc(nil, 4, 3)
    defer { cmsPipelineFree(pipeline) }
    let stage = cmsStageAllocCLut16bit(nil, 9, 4, 3, nil)
    cmsStageSampleCLut16bit(
      stage,
      { input, output, _ in
        guard let input, let output else { return 0 }
        let left = (0..<4).map { 1 - Double(input[$0]) / 65535 }
        let light = (0..<3).map { (left[$0] * left[3]) * (left[$0] * left[3]) }
        // Grays come out neutral, colors approximately right.
        let level = 100 * (light[0] * 0.3 + light[1] * 0.6 + light[2] * 0.1)
        var lab = cmsCIELab(L: level, a: 60 * (light[0] - light[1]), b: 60 * (light[1] - light[2]))
        cmsFloat2LabEncodedV2(output, &lab)
        return 1
      }, nil, 0)
    cmsPipelineInsertStage(pipeline, cmsAT_END, stage)
    guard cmsWriteTag(profile, cmsSigAToB0Tag, UnsafeRawPointer(pipeline)) != 0 else {
      throw FixtureError("no table of inks")
    }
    return try bytes(of: profile)
  }

  private static func bytes(of profile: cmsHPROFILE?) throws -> [UInt8] {
    guard let profile else { throw FixtureError("no profile") }
    defer { cmsCloseProfile(profile) }
    var count: UInt32 = 0
    cmsSaveProfileToMem(profile, nil, &count)
    var bytes = [UInt8](repeating: 0, count: Int(count))
    guard cmsSaveProfileToMem(profile, &bytes, &count) != 0 else { throw FixtureError("no profile") }
    return bytes
  }
}
