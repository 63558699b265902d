"""The spaces of actions and observations, made of a game's sizes."""

from __future__ import annotations

import numpy as np
from gymnasium import spaces

from limina.core.capabilities import EncodingSizes


def observation_space(sizes: EncodingSizes) -> spaces.Dict:
    """Planes, vector and mask. Bounds are the game's own, so that nobody takes the planes for pictures."""
    return spaces.Dict(
        {
            "planes": spaces.Box(0, sizes.max_value, sizes.planes_shape, np.uint8),
            "vector": spaces.Box(0, sizes.max_value, (sizes.vector_length,), np.uint8),
            "action_mask": spaces.Box(0, 1, (sizes.n_actions,), np.int8),
        }
    )


def flat_space(sizes: EncodingSizes) -> spaces.Dict:
    """The same with planes and vector one after the other in one array, as PettingZoo's users expect it."""
    planes, rows, columns = sizes.planes_shape
    length = planes * rows * columns + sizes.vector_length
    return spaces.Dict(
        {
            "observation": spaces.Box(0, sizes.max_value, (length,), np.uint8),
            "action_mask": spaces.Box(0, 1, (sizes.n_actions,), np.int8),
        }
    )
