"""
The rules of limina's games. Use the packages above it; this is their engine room.
"""

from limina._kernel import limes as limes, limit as limit
