"""Word lists; see README.md beside them."""
