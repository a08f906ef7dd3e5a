import AssetLibrary
import CursesHost
import Sandbox

/// What the user is told of a request, and whether it can be asked.
enum PortalQuestion {
  /// What is wrong with a request, for the one who made it.
  static func problem(in request: PortalRequest) -> String? {
    for filter in request.filters {
      do {
        _ = try PickerFilter(parsing: filter)
      } catch {
        return "--filter: \(error)"
      }
    }
    guard let query = request.query else { return nil }
    do {
      _ = try SearchQuery(parsing: query, in: .ofProcess)
      return nil
    } catch {
      return "--query: \(error)"
    }
  }

  /// A line for the terminal, before the picker; the words of a stranger show no more than they say.
  static func line(for request: PortalRequest) -> [UInt8]? {
    guard let purpose = request.purpose, !purpose.allSatisfy(\.isWhitespace) else { return nil }
    return Array("tpick: the command asks for photos: \(OutputText.line(purpose))\r\n".utf8)
  }
}
