public import AssetLibrary

// Spellings of PhotoKit and PhotosUI that can't be the same here. They are declared so that the compiler says what to
// write; the article "PhotoKit's names" gives the reasons.

/// PhotoKit's spellings.
extension PhotoLibrary {
  /// Write `PhotoLibrary(folders:)`.
  @available(*, unavailable, message: "write PhotoLibrary(folders:): there may be several")
  public static func shared() -> Never { fatalError("unavailable") }
  /// Write `library.manager.requestAuthorization(for:)`.
  @available(*, unavailable, message: "write await library.manager.requestAuthorization(for: level)")
  public static func requestAuthorization(for level: AccessLevel) async -> AuthorizationStatus {
    .notDetermined
  }
  /// Write `library.manager.authorizationStatus(for:)`.
  @available(*, unavailable, message: "write library.manager.authorizationStatus(for: level)")
  public static func authorizationStatus(for level: AccessLevel) -> AuthorizationStatus { .notDetermined }
}

/// PhotosUI's spellings.
extension PhotoPicker {
  /// Write `init(_:library:)`.
  @available(*, unavailable, message: "write PhotoPicker(configuration, library: library)")
  public init(configuration: PickerConfiguration) { fatalError("unavailable") }
  /// Write `present()`.
  @available(*, unavailable, message: "present() returns what a delegate would receive")
  public var delegate: AnyObject? {
    get { nil }
    nonmutating set {}
  }
}
