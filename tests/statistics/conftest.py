"""A busy machine, or the first import of scipy, must not fail a property test for being slow."""

from hypothesis import settings

settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")
