"""The root's own checks: counts, arrows, quick starts. Nothing here is part of a library."""
