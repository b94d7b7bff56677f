"""Corrects the slow drift of a sensor with the help of its reference target."""

import math

# Readings of the reference target further away than this are thrown out, in micrometres.
OUTLIER_LIMIT_UM = 35.0

# Time constant of the thermal model, found by measuring twelve housings.
TIME_CONSTANT_S = 1840.0


class DriftModel:
    """First-order thermal model: the housing approaches its final length exponentially."""

    def __init__(self, gain_um_per_kelvin=2.7):
        self.gain = gain_um_per_kelvin
        self.state_kelvin = 0.0

    def step(self, ambient_kelvin, seconds):
        """Advances the model; returns the expected drift in micrometres."""
        share = 1.0 - math.exp(-seconds / TIME_CONSTANT_S)
        self.state_kelvin += (ambient_kelvin - self.state_kelvin) * share
        return self.gain * self.state_kelvin


def drop_outliers(readings_um):
    """Keeps the readings that lie near the median."""
    ordered = sorted(readings_um)
    median = ordered[len(ordered) // 2]
    return [value for value in readings_um if abs(value - median) <= OUTLIER_LIMIT_UM]


def correct(readings_um, drift_um):
    """Subtracts the drift after the outliers are gone."""
    return [value - drift_um for value in drop_outliers(readings_um)]
