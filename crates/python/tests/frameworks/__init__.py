"""The adapters against the published packages."""
