/// What one process tells another of a file that it has read.
package enum MediaReport: Hashable, Sendable {
  case medium(MediaReader.Reading)
  /// What an XMP packet beside a medium says.
  indirect case sidecar(MediaFacts)
  /// The facts of a medium whose format a heavy library reads.
  indirect case described(MediaFacts)
  /// The file could not be read; the reason as words after a colon.
  case failed(String)
  /// There was no memory to look at it.
  case noMemory
  /// Of a file of which parts are there: the range of bytes that is needed besides, within the file.
  case incomplete(Range<Int>)

  /// Sidecars are a few kilobytes; what is longer is cut, and then no XMP.
  static let longestSidecar = 1 << 20

  /// Reads a medium of `byteCount` bytes.
  /// - Parameters:
  ///   - room: memory for the file's head, used again from file to file.
  ///   - reason: says why the source failed.
  package static func medium<Source: ByteSource>(
    from source: Source, byteCount: Int, room: inout MediaReader.Room, reason: (Source.Failure) -> String
  ) -> MediaReport {
    do throws(Source.Failure) {
      var missing: Range<Int>?
      let reading = try MediaReader.read(from: source, byteCount: byteCount, room: &room, missing: &missing)
      return missing.map { .incomplete($0) } ?? .medium(reading)
    } catch {
      return .failed(reason(error))
    }
  }

  /// Reads a sidecar of `byteCount` bytes.
  /// - Parameter reason: says why the source failed.
  package static func sidecar<Source: ByteSource>(
    from source: Source, byteCount: Int, reason: (Source.Failure) -> String
  ) -> MediaReport {
    var source = source
    do throws(Source.Failure) {
      var facts = MediaFacts()
      let count = min(max(0, byteCount), longestSidecar)
      let there = source.available(at: 0, count: count)
      guard there >= count else { return .incomplete(there..<count) }
      facts.merge(sidecar: try source.read(at: 0, count: count))
      return .sidecar(facts)
    } catch {
      return .failed(reason(error))
    }
  }
}
