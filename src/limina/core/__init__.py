"""Games, positions, records and the registry, on which all games and all front ends build."""
