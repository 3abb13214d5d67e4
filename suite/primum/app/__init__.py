"""The composition root: makes the parts that the settings name and runs the stages. Import its modules by name."""
