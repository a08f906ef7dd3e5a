// Re-exports the vocabulary of assets to importers of FolderLibrary.
@_exported public import AssetLibrary
