"""The room: use cases and ports. Imports the engine; is imported by the handlers."""
