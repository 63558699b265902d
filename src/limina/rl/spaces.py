"""Observation spaces from the array sizes of a game."""

from __future__ import annotations

import numpy as np
from gymnasium import spaces

from limina.core.capabilities import EncodingSizes


def observation_space(sizes: EncodingSizes) -> spaces.Dict:
    """Return the space of planes, vector and mask, for Gymnasium.

    Its bounds are those of the game and not 0 to 255, so that libraries do not treat the planes as images.
    """
    return spaces.Dict(
        {
            "planes": spaces.Box(0, sizes.max_value, sizes.planes_shape, np.uint8),
            "vector": spaces.Box(0, sizes.max_value, (sizes.vector_length,), np.uint8),
            "action_mask": spaces.Box(0, 1, (sizes.n_actions,), np.int8),
        }
    )


def flat_space(sizes: EncodingSizes) -> spaces.Dict:
    """Return the space with planes and vector concatenated in one array, for PettingZoo."""
    planes, rows, columns = sizes.planes_shape
    length = planes * rows * columns + sizes.vector_length
    return spaces.Dict(
        {
            "observation": spaces.Box(0, sizes.max_value, (length,), np.uint8),
            "action_mask": spaces.Box(0, 1, (sizes.n_actions,), np.int8),
        }
    )
