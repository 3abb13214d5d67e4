"""Understanding of text under the gates; nothing here knows about records of a run but spans."""
