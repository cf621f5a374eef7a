"""Student's t distribution: the quantile of 95 % intervals and the distribution function."""

import math

NORMAL_QUANTILE = 1.959963984540054
"""Two-sided 95 % quantile of the normal distribution."""
_QUANTILES = (math.inf, 12.7062, 4.30265, 3.18245, 2.77645, 2.57058, 2.44691, 2.36462, 2.30600, 2.26216)
_MAX_SERIES = 200  # degrees of freedom up to which the exact series is summed


def compute_student_quantile(degrees_of_freedom: int) -> float:
    """Return the two-sided 95 % quantile of Student's t distribution.

    The first nine values are tabulated; for more degrees of freedom the Cornish-Fisher expansion is accurate to four
    digits.

    >>> [round(compute_student_quantile(count), 3) for count in (1, 5, 30, 10**9)]
    [12.706, 2.571, 2.042, 1.96]
    """
    if degrees_of_freedom < len(_QUANTILES):
        return _QUANTILES[degrees_of_freedom]
    z, n = NORMAL_QUANTILE, degrees_of_freedom
    return (
        z
        + (z**3 + z) / (4 * n)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * n**3)
    )


def compute_student_probability(t: float, degrees_of_freedom: int) -> float:
    """Return the probability that a Student t variable is at most t.

    Up to 200 degrees of freedom the finite trigonometric series is exact; for more, the normal approximation of
    t (1 - 1/4n) / sqrt(1 + t^2 / 2n) is accurate to 1e-5.

    >>> [round(compute_student_probability(t, n), 4) for t, n in ((0, 3), (12.7062, 1), (-2.571, 5), (1.972, 200))]
    [0.5, 0.975, 0.025, 0.975]
    """
    n = degrees_of_freedom
    if math.isinf(t):
        return float(t > 0)
    if n > _MAX_SERIES:
        z = t * (1 - 1 / (4 * n)) / math.sqrt(1 + t * t / (2 * n))
        return 0.5 * math.erfc(-z / math.sqrt(2))
    angle = math.atan2(t, math.sqrt(n))
    cosine_squared = math.cos(angle) ** 2
    is_odd = n % 2
    term = math.cos(angle) if is_odd else 1.0
    total = 0.0
    for at in range(1 + is_odd, n, 2):
        total += term
        term *= cosine_squared * at / (at + 1)
    if is_odd:
        return 0.5 + (angle + math.sin(angle) * total) / math.pi
    return 0.5 + math.sin(angle) * total / 2
