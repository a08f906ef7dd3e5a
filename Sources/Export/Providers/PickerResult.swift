public import AssetLibrary

/// One asset that was picked, as PhotoKit's `PHPickerResult`: what it is called, and how its content is had.
///
/// It says nothing about access to the rest of the library.
public struct PickerResult: Sendable {
  public var assetIdentifier: LocalIdentifier
  public var itemProvider: ItemProvider

  package init(assetIdentifier: LocalIdentifier, itemProvider: ItemProvider) {
    self.assetIdentifier = assetIdentifier
    self.itemProvider = itemProvider
  }
}
