"""Parts that games share: SVG, noise for drawings, rule examples, weights files and training."""
