"""The spaces of actions and observations, made of a game's sizes."""

from __future__ import annotations

import numpy as np
from gymnasium import spaces

from limina.core.capabilities import Sizes


def observation_space(sizes: Sizes) -> spaces.Dict:
    """Planes, vector and mask. Bounds are the game's own, so that nobody takes the planes for pictures."""
    return spaces.Dict(
        {
            "planes": spaces.Box(0, sizes.highest, sizes.planes, np.uint8),
            "vector": spaces.Box(0, sizes.highest, (sizes.vector,), np.uint8),
            "action_mask": spaces.Box(0, 1, (sizes.actions,), np.int8),
        }
    )


def flat_space(sizes: Sizes) -> spaces.Dict:
    """The same with planes and vector one after the other in one array, as PettingZoo's users expect it."""
    planes, rows, columns = sizes.planes
    length = planes * rows * columns + sizes.vector
    return spaces.Dict(
        {
            "observation": spaces.Box(0, sizes.highest, (length,), np.uint8),
            "action_mask": spaces.Box(0, 1, (sizes.actions,), np.int8),
        }
    )
