"""Where shipped files are found."""

import pytest

from primum.errors import ConfigError
from primum.resources import shipped


@pytest.mark.parametrize("name", ["rubrics", "datasets"])
def test_shipped_folders_are_found(name: str) -> None:
    """In a checkout, at its root."""
    assert shipped(name).is_dir()


def test_an_unknown_folder_is_an_error_with_a_way_out() -> None:
    """Not a path that does not exist."""
    with pytest.raises(ConfigError, match="pip install"):
        shipped("absent")
