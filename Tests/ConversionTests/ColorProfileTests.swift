import CLCMS
import CZlib
import Fixtures
import Testing

@testable import Conversion

/// Color profiles reduced to their colors.
@Suite struct PlainProfileTests {
  private static let profiles = ["sRGB", "Display P3", "gray", "inks"]

  private func profile(_ name: String) throws -> [UInt8] {
    switch name {
    case "sRGB": try TestProfiles.sRGB()
    case "Display P3": try TestProfiles.displayP3()
    case "gray": try TestProfiles.grey(exponent: 1.8)
    default: try TestProfiles.inks()
    }
  }

  private func number(_ bytes: [UInt8], _ at: Int) -> Int {
    bytes[at..<(at + 4)].reduce(0) { $0 << 8 | Int($1) }
  }

  /// The tags of a profile, by name.
  private func tags(_ bytes: [UInt8]) throws -> [String: [UInt8]] {
    var tags: [String: [UInt8]] = [:]
    try #require(number(bytes, 0) == bytes.count)
    for index in 0..<number(bytes, 128) {
      let entry = 132 + 12 * index
      let (offset, length) = (number(bytes, entry + 4), number(bytes, entry + 8))
      try #require(offset + length <= bytes.count)
      tags[String(decoding: bytes[entry..<(entry + 4)], as: UTF8.self)] = Array(
        bytes[offset..<(offset + length)])
    }
    return tags
  }

  @Test(arguments: profiles)
  func `A profile keeps the data for color conversion byte by byte, and other programs can read it`(
    name: String
  ) throws {
    let profile = try profile(name)
    let plain = try #require(PlainProfile.bytes(of: profile))
    let (before, after) = (try tags(profile), try tags(plain))
    let kept: Set = [
      "rXYZ", "gXYZ", "bXYZ", "rTRC", "gTRC", "bTRC", "kTRC", "wtpt", "chad", "A2B0",
    ]
    let texts: Set = ["desc", "cprt"]
    #expect(Set(after.keys) == Set(before.keys).intersection(kept.union(texts)))
    for (name, data) in after where !texts.contains(name) { #expect(data == before[name], "\(name)") }
    for name in texts {
      guard let text = after[name] else { continue }
      // A text that says RGB, in UTF-16 or ASCII.
      #expect(String(decoding: text.filter { $0 != 0 }, as: UTF8.self).contains("RGB"), "\(name)")
      #expect(text.count <= before[name]?.count ?? 0)
    }
    // Kinds and color spaces are unchanged; dates, manufacturers and programs are removed.
    #expect(
      plain[12..<24] == profile[12..<24] && plain[8..<10] == profile[8..<10] && plain[67] == profile[67])
    #expect([4..<8, 40..<64, 80..<128].allSatisfy { plain[$0].allSatisfy { $0 == 0 } })
    let opened = cmsOpenProfileFromMem(plain, UInt32(plain.count))
    defer { if opened != nil { cmsCloseProfile(opened) } }
    #expect(opened != nil && cmsGetColorSpace(opened) == space(of: profile))
    // A reduced profile is unchanged.
    #expect(PlainProfile.bytes(of: plain) == plain)
  }

  private func space(of profile: [UInt8]) -> cmsColorSpaceSignature? {
    guard let opened = cmsOpenProfileFromMem(profile, UInt32(profile.count)) else { return nil }
    defer { cmsCloseProfile(opened) }
    return cmsGetColorSpace(opened)
  }

  @Test func `Data after and between a profile's tags is removed`() throws {
    let profile = try TestProfiles.displayP3()
    let plain = PlainProfile.bytes(of: profile)
    let secret = Array("Atlantis".utf8)
    #expect(PlainProfile.bytes(of: profile + secret) == plain)
    // Reserved bytes, manufacturers and the name of the program.
    var marked = profile
    for place in [4, 40, 44, 48, 52, 56, 60, 80, 84, 100] {
      marked.replaceSubrange(place..<(place + 4), with: "Atla".utf8)
    }
    #expect(PlainProfile.bytes(of: marked) == plain)
    // A tag with another name, such as a program's private one.
    var other = profile
    other.replaceSubrange(132..<136, with: "priv".utf8)
    let left = try tags(try #require(PlainProfile.bytes(of: other)))
    let all = try tags(#require(plain))
    #expect(left["priv"] == nil && left.count == all.count - 1)
  }

  @Test func `An invalid profile is rejected, and a tag beyond its end is left out`() throws {
    let profile = try TestProfiles.displayP3()
    #expect(PlainProfile.bytes(of: Array(profile.prefix(131))) == nil)
    var unmarked = profile
    unmarked[36] = 0
    #expect(PlainProfile.bytes(of: unmarked) == nil)
    var crowded = profile
    crowded.replaceSubrange(128..<132, with: [0, 0, 0, 101])
    #expect(PlainProfile.bytes(of: crowded) == nil)
    let count = try tags(try #require(PlainProfile.bytes(of: profile))).count
    for place in [136, 140] {
      var leading = profile
      leading.replaceSubrange(place..<(place + 4), with: [0x7F, 0xFF, 0xFF, 0xFF])
      #expect(try tags(try #require(PlainProfile.bytes(of: leading))).count == count - 1)
    }
  }
}

/// Data compressed by zlib, decompressed by our code.
@Suite struct InflaterTests {
  /// - Parameters:
  ///   - level: From 0, which only stores, to 9.
  ///   - strategy: One of zlib's.
  static func deflated(_ bytes: [UInt8], level: Int32 = 9, strategy: Int32 = Z_DEFAULT_STRATEGY) -> [UInt8] {
    var stream = z_stream()
    guard
      deflateInit2_(
        &stream, level, Z_DEFLATED, MAX_WBITS, 8, strategy, ZLIB_VERSION,
        Int32(MemoryLayout<z_stream>.size)) == Z_OK
    else { return [] }
    defer { deflateEnd(&stream) }
    var input = bytes
    var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, UInt(bytes.count))))
    let count = input.withUnsafeMutableBufferPointer { input in
      output.withUnsafeMutableBufferPointer { output in
        (stream.next_in, stream.avail_in) = (input.baseAddress, UInt32(input.count))
        (stream.next_out, stream.avail_out) = (output.baseAddress, UInt32(output.count))
        return deflate(&stream, Z_FINISH) == Z_STREAM_END ? output.count - Int(stream.avail_out) : 0
      }
    }
    return Array(output.prefix(count))
  }

  private static let samples: [[UInt8]] = {
    var random = SeededGenerator(seed: 3)
    let noise = (0..<70_000).map { _ in UInt8.random(in: 0...255, using: &random) }
    // Bytes of several kinds, each in a quarter of the cases, so that codes have many lengths, including one bit.
    let skewed = noise.map { $0 < 180 ? 0 : $0 < 230 ? 1 : $0 }
    let words = Array(String(repeating: "a photo, another photo, ", count: 900).utf8)
    let far = noise[..<32_000] + noise[..<300] + [7, 7, 7]
    return [[], [1], noise, skewed, words, Array(far), [UInt8](repeating: 0, count: 100_000)]
  }()

  @Test(arguments: [0, 1, 6, 9] as [Int32], [Z_DEFAULT_STRATEGY, Z_HUFFMAN_ONLY, Z_RLE, Z_FIXED])
  func `All zlib output is decompressed`(level: Int32, strategy: Int32) {
    for sample in Self.samples {
      let packed = Self.deflated(sample, level: level, strategy: strategy)
      #expect(!packed.isEmpty)
      #expect(Inflater.bytes(of: packed[...], most: 1 << 20) == sample)
      // Truncated data is rejected.
      #expect(Inflater.bytes(of: packed.dropLast(6), most: 1 << 20) == nil)
    }
  }

  @Test(arguments: [0, 9] as [Int32])
  func `No more is decompressed than requested`(level: Int32) {
    for sample in Self.samples where sample.count > 1000 {
      let packed = Self.deflated(sample, level: level)[...]
      #expect(Inflater.bytes(of: packed, most: sample.count) == sample)
      #expect(Inflater.bytes(of: packed, most: sample.count - 600) == nil)
    }
  }

  @Test func `Other methods, a dictionary, and codes that no encoder writes are rejected`() {
    let packed = Self.deflated([1, 2, 3])
    var other = packed
    other[0] = 0x79
    var dictionary = packed
    dictionary[1] |= 0x20
    for bytes in [other, dictionary, [0x78, 0x01, 0x07], [0x78, 0x01], [0x78, 0x01, 0x03]] {
      #expect(Inflater.bytes(of: bytes[...], most: 100) == nil)
    }
  }
}
