import CodecProtocol
import FolderLibrary
import Sandbox
import SystemPackage
import System

/// The parts of this machine that a sandbox shows besides photos.
enum MachineView {
  /// The root folders with programs and libraries.
  static var systemFolders: [SandboxView.SystemFolder] {
    ["/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"].compactMap { path in
      var facts = stat()
      guard lstat(path, &facts) == 0 else { return nil }
      guard facts.st_mode & S_IFMT == S_IFLNK else { return .folder(path) }
      var target = [CChar](repeating: 0, count: 4096)
      let count = readlink(path, &target, target.count)
      return count > 0 ? .link(path, target: target[..<count].map(UInt8.init(bitPattern:))) : nil
    }
  }

  /// tpick and its helpers, with libraries that are not part of the system, by their names in `SandboxPlace.programs`.
  /// - Returns: nil if all of them are visible in place.
  static func programs() -> [SandboxView.Binding]? {
    guard let own = FilePath("/proc/self/exe").resolved, !own.bytes.starts(with: Array("/usr/".utf8)) else {
      return nil
    }
    var bindings = [binding(own.bytes, as: "tpick")]
    for helper in [HelperProgram.reader, .codecs] {
      guard let path = helper.find() else { continue }
      bindings.append(binding(Array(path.utf8), as: helper.rawValue))
    }
    for library in libraries() {
      let name = String(decoding: library.split(separator: UInt8(ascii: "/")).last ?? [], as: UTF8.self)
      bindings.append(binding(library, as: name))
    }
    return bindings
  }

  /// The path of tpick inside the sandbox.
  static func launcher(_ programs: [SandboxView.Binding]?) -> [UInt8] {
    if let first = programs?.first { return first.place }
    return FilePath("/proc/self/exe").resolved?.bytes ?? Array("/usr/bin/tpick".utf8)
  }

  /// The shared libraries of this process outside of system folders, such as those of a toolchain.
  private static func libraries() -> Set<[UInt8]> {
    let maps = SandboxStage.call(Array("/proc/self/maps".utf8)) { open($0, O_RDONLY | O_CLOEXEC) }
    guard maps >= 0 else { return [] }
    defer { close(maps) }
    let visible = ["/usr/", "/lib"].map { Array($0.utf8) }
    let found = DescriptorText.read(maps).split(separator: 0x0A).compactMap { line -> [UInt8]? in
      guard let start = line.firstIndex(of: UInt8(ascii: "/")) else { return nil }
      let path = Array(line[start...])
      let isLibrary =
        String(decoding: path, as: UTF8.self).split(separator: "/").last?.contains(".so") ?? false
      return isLibrary && !visible.contains { path.starts(with: $0) } ? path : nil
    }
    return Set(found)
  }

  private static func binding(_ path: [UInt8], as name: String) -> SandboxView.Binding {
    SandboxView.Binding(path, at: Array("\(SandboxPlace.programs)/\(name)".utf8))
  }

  /// The sockets of the display, and the variables that name them inside.
  static func display() -> (bindings: [SandboxView.Binding], variables: [SandboxEnvironment.Variable]) {
    var bindings: [SandboxView.Binding] = []
    var variables: [SandboxEnvironment.Variable] = []
    let environment = ProcessEnvironment.named
    let value = { (name: String) in environment.last { $0.name == name && !$0.value.isEmpty }?.value }
    if let display = value("DISPLAY"), display.first == UInt8(ascii: ":") {
      let number = display.dropFirst().prefix { (0x30...0x39).contains($0) }
      let socket = Array("/tmp/.X11-unix/X".utf8) + number
      bindings.append(SandboxView.Binding(socket, at: socket))
      variables.append(SandboxEnvironment.Variable("DISPLAY", display))
      let home = value("HOME").map { $0 + Array("/.Xauthority".utf8) }
      if let authority = value("XAUTHORITY") ?? home, isThere(authority) {
        bindings.append(SandboxView.Binding(authority, at: Array(SandboxPlace.xAuthority.utf8)))
        variables.append(SandboxEnvironment.Variable("XAUTHORITY", SandboxPlace.xAuthority))
      }
    }
    if let name = value("WAYLAND_DISPLAY") {
      let folder = value("XDG_RUNTIME_DIR").map { $0 + [UInt8(ascii: "/")] } ?? []
      let socket = name.first == UInt8(ascii: "/") ? name : folder + name
      if isThere(socket) {
        bindings.append(SandboxView.Binding(socket, at: Array(SandboxPlace.waylandSocket.utf8)))
        variables.append(SandboxEnvironment.Variable("WAYLAND_DISPLAY", SandboxPlace.waylandSocket))
        variables.append(SandboxEnvironment.Variable("XDG_RUNTIME_DIR", "/tmp"))
      }
    }
    return (bindings.filter { isThere($0.source) }, variables)
  }

  private static func isThere(_ path: [UInt8]) -> Bool { SandboxStage.call(path) { access($0, F_OK) } == 0 }

  /// The lines of /etc/passwd and /etc/group, for the user only.
  static var accounts: (users: [UInt8], groups: [UInt8]) {
    (
      Array("user:x:\(geteuid()):\(getegid()):user:\(SandboxPlace.home):/bin/sh\n".utf8),
      Array("user:x:\(getegid()):\n".utf8)
    )
  }
}
