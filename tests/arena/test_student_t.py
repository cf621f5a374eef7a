"""Tests of Student's t distribution."""

import pytest

from fourfall.arena.student_t import compute_student_probability, compute_student_quantile


@pytest.mark.parametrize("degrees_of_freedom", [1, 2, 3, 7, 9, 10, 30, 199, 200, 201, 5000])
def test_quantile_and_probability_are_inverse(degrees_of_freedom: int) -> None:
    """The probability of the two-sided 95 % quantile is 0.975; the distribution is symmetric."""
    quantile = compute_student_quantile(degrees_of_freedom)
    assert compute_student_probability(quantile, degrees_of_freedom) == pytest.approx(0.975, abs=2e-5)
    assert compute_student_probability(-quantile, degrees_of_freedom) == pytest.approx(0.025, abs=2e-5)


@pytest.mark.parametrize(
    ("t", "degrees_of_freedom", "probability"),
    [(1.0, 1, 0.75), (1.0, 2, 0.5 + 0.5 / 3**0.5), (6.314, 1, 0.95), (1.812, 10, 0.95), (3.291, 10**9, 0.9995)],
)
def test_known_probabilities(t: float, degrees_of_freedom: int, probability: float) -> None:
    """Values of published tables."""
    assert compute_student_probability(t, degrees_of_freedom) == pytest.approx(probability, abs=1e-4)
