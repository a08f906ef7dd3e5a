// Who imports PhotoPicker gets the vocabulary of assets and what results are made of.
@_exported public import AssetLibrary
@_exported public import Export
