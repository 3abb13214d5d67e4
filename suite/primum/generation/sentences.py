"""The two sentences that every generator of ours says in the same words."""

from typing import Final

ABSTENTION: Final = "The available documents do not answer this question."
"""The whole answer when the evidence is missing."""

DISCLAIMER: Final = "The prescriber makes the final decision."
"""The last sentence of every answer that says anything."""
