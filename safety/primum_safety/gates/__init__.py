"""One gate a module."""
