"""Parts that games are made of: drawing, weights of evaluators, training, examples of the rules."""
