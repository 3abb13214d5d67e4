"""What finds passages for a question. Each retriever is imported from its own module, when it is used."""
