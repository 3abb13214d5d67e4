"""What turns texts into vectors. Each embedder is imported from its own module, when it is used."""
