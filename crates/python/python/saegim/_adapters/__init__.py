"""What the adapters for other packages share. Nothing here imports those packages."""
