"""The map as a picture: styles and the interactive network."""
