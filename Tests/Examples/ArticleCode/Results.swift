import PhotoPicker

/// Prints the available types of a result, and uses one as a file.
func inspect(_ result: PickerResult) throws(AssetError) {
  let provider = result.itemProvider
  print(provider.registeredTypeIdentifiers)
  guard provider.canLoad("public.image") else { return }
  let path = try provider.loadFileRepresentation(for: "public.image") { path in
    // Lent: the file is gone when this returns.
    path.string
  }
  print(path)
}

/// A picker for files that a web form accepts: JPEG, 2 MB at most, without location.
func uploadPicker(_ library: PhotoLibrary) throws -> PhotoPicker {
  var configuration = PickerConfiguration()
  configuration.selectionLimit = 0
  configuration.filter = try PickerFilter(parsing: "images,!screenshots")
  configuration.representation.mode = .compatible
  configuration.representation.stripping = .location
  return PhotoPicker(configuration, library: library)
}

/// Prints the selection whenever it changes.
func follow(_ library: PhotoLibrary) throws(PhotoPickerError) -> PhotoPicker.Outcome {
  var configuration = PickerConfiguration()
  configuration.selection = .continuous
  configuration.selectionLimit = 0
  return try PhotoPicker(configuration, library: library).present { results in
    publish(results.map(\.assetIdentifier))
  }
}

func publish(_ identifiers: [LocalIdentifier]) {}

/// Shows the picker, but not longer than for some time.
func pickWithin(_ time: Duration, from library: PhotoLibrary) async throws -> PhotoPicker.Outcome {
  let picker = PhotoPicker(library: library)
  let patience = Task {
    try await Task.sleep(for: time)
    picker.dismiss()
  }
  defer { patience.cancel() }
  return try await picker.present()
}
