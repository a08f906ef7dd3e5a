// Clients of PhotoPicker also get the types of AssetLibrary and Export.
@_exported public import AssetLibrary
@_exported public import Export
