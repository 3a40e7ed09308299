"""What players see: the layout, observations, decoding, determinization."""
