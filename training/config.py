"""Configuration of a training run: pydantic models and the reader of their TOML file."""

import itertools
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, PlainValidator, model_validator

from fourfall.validation import Expects, ListOf, StrictModel, quote_value, read_toml, validate
from training.network import Size

Fraction = Annotated[float, Field(ge=0, le=1)]
Precision = Literal["bf16", "f32"]


SIZE_FORM = "channels x blocks, such as '64x4', at most 1024x64"
SCHEDULE_FORM = (
    "a list of [fraction of the run, value]: fractions in ascending order from 0 to at most 1, values not negative"
)


def _check_order(bounds: tuple[int, int]) -> tuple[int, int]:
    if bounds[0] > bounds[1]:
        raise ValueError(f"the minimum {bounds[0]} is above the maximum {bounds[1]}")
    return bounds


def _check_schedule(points: tuple[tuple[float, float], ...]) -> tuple[tuple[float, float], ...]:
    times = [time for time, _ in points]
    is_ordered = all(before <= after for before, after in itertools.pairwise(times))
    if not points or times[0] != 0 or not is_ordered or times[-1] > 1 or min(value for _, value in points) < 0:
        raise ValueError(f"expected {SCHEDULE_FORM}")
    return points


def _parse_size(value: object) -> Size:
    if isinstance(value, Size):
        return value
    channels, _, blocks = value.partition("x") if isinstance(value, str) else ("", "", "")
    if not (channels.isdecimal() and blocks.isdecimal() and 1 <= int(channels) <= 1024 and 1 <= int(blocks) <= 64):
        raise ValueError(f"expected {SIZE_FORM}, not {quote_value(value)}")
    return Size(int(channels), int(blocks))


Side = Annotated[int, Field(ge=4, le=12)]
SideRange = Annotated[tuple[Side, Side], Field(strict=False), AfterValidator(_check_order)]
Schedule = Annotated[
    ListOf[Annotated[tuple[float, float], Field(strict=False)]],
    AfterValidator(_check_schedule),
    Expects(SCHEDULE_FORM),
]
"""Values over a run: pairs of (fraction of the run, value) in ascending order, the first at fraction 0."""


class BoardRange(StrictModel):
    """A range of board sizes, bounds included; a hole is equally likely in every cell."""

    weight: Annotated[float, Field(ge=0, le=1e6)]
    """Share of the games, relative to the other ranges."""
    rows: SideRange
    cols: SideRange
    hole_probability: Fraction


class SelfPlayConfig(StrictModel):
    """How self-play games are played."""

    parallel_games: Annotated[int, Field(ge=1, le=1 << 20)]
    moves_per_iteration: Annotated[int, Field(ge=1, le=4096)]
    """Searched moves on every board in one iteration."""
    opening_probability: Fraction = 0.5
    """Fraction of the games that start with random moves."""
    max_opening_moves: Annotated[int, Field(ge=0, le=144)] = 6
    random_move_probability: Fraction = 0.01
    """Fraction of random moves after the opening."""
    continue_probability: Fraction = 0.1
    """Fraction of forced moves that are searched anyway, and of proven positions that are played on."""
    sideline_probability: Fraction = 0.0
    """Fraction of the moves after the opening at which a sideline begins, with another move than the one played."""
    sideline_moves: Annotated[int, Field(ge=1, le=144)] = 2
    """Searched moves of a sideline, after which the game continues."""


class SearchConfig(StrictModel):
    """Parameters of the Gumbel search; the number of simulations changes during a run and is not one of them."""

    considered_moves: Annotated[int, Field(ge=1, le=12)] = 8
    """Root moves that take part in sequential halving."""
    max_simulations: Annotated[int, Field(ge=1, le=1024)] = 64
    """Capacity of the trees."""
    value_scale: Annotated[float, Field(ge=0, le=100)] = 0.1
    """Weight of the search's values relative to the prior."""
    visits_offset: Annotated[float, Field(ge=0, le=1000)] = 50.0
    """Number added to the visits in that weight, so that values count after few simulations."""
    min_value_range: Annotated[float, Field(ge=1e-6, le=2)] = 0.2
    """Lower bound of the range by which values are normalized: smaller differences are mostly noise."""
    max_forced_moves: Annotated[int, Field(ge=0, le=16)] = 2
    """Forced moves in a row that are followed without a network evaluation."""


class LossWeights(StrictModel):
    """Weights of the loss's parts; the policy loss has weight 1."""

    value: Annotated[float, Field(ge=0, le=100)]
    auxiliary: Annotated[float, Field(ge=0, le=100)]
    policy_offset: Annotated[float, Field(ge=0, le=100)] = 0.0
    """Weight of the squared mean logit of the safe moves, which has no effect on the policy but grows otherwise."""


class LearnerConfig(StrictModel):
    """How the networks learn from the replay buffer."""

    batch_size: Annotated[int, Field(ge=1, le=1 << 20)]
    replay_ratio: Annotated[float, Field(ge=0, le=100)]
    """Average number of times that a stored move is sampled."""
    buffer_iterations: Annotated[int, Field(ge=1, le=4096)]
    """Capacity of the replay buffer in iterations."""
    min_buffer_iterations: Annotated[int, Field(ge=1, le=4096)]
    """Iterations in the replay buffer before learning starts, so that the first batches are diverse."""
    learning_rate: Fraction
    """Adam's learning rate after the warm-up, while it is constant."""
    constant_until: Fraction
    """Fraction of the run at which the learning rate starts to fall along a cosine."""
    final_rate_fraction: Fraction
    """Learning rate at the end of the run, as a fraction of `learning_rate`."""
    warm_up_iterations: Annotated[int, Field(ge=0, le=1 << 20)]
    """Iterations in which the learning rate rises linearly."""
    weight_decay: Fraction
    ema_rate: Annotated[float, Field(ge=1e-6, le=1)]
    """Share of the new weights in each update of the exponential moving average."""
    td_lambda: Schedule
    """Lambda of the TD(lambda) targets, interpolated linearly."""
    prepare_units: bool = False
    """Whether hidden units are prepared before the first update: inactive ones restarted, the heads balanced."""
    loss_weights: LossWeights


class MatchConfig(StrictModel):
    """Evaluation matches of the self-play network against its snapshots."""

    pairs: Annotated[int, Field(ge=1, le=1 << 20)]
    simulations: Annotated[int, Field(ge=0, le=1024)]
    interval: Annotated[float, Field(ge=1e-6, le=1)]
    """Fraction of the run between two matches."""
    max_snapshots: Annotated[int, Field(ge=0, le=32)]
    """Snapshots that are kept as opponents: the oldest and the newest ones."""


class RunConfig(StrictModel):
    """Configuration of a whole run."""

    name: str
    seed: Annotated[int, Field(ge=0, le=2**31 - 1)]
    precision: Precision
    """Precision of the network's trunk in training and self-play."""
    total_s: Annotated[float, Field(ge=0, le=1e7)]
    """Length of the run in seconds, including all resumptions; 0 if the length is given in iterations."""
    total_iterations: Annotated[int, Field(ge=0, le=1 << 30)]
    """Length of the run in iterations; 0 if it is given in seconds."""
    checkpoint_interval_s: Annotated[float, Field(ge=0, le=1e6)]
    checkpoint_replay_buffer: bool
    """Whether checkpoints include the replay buffer; if so, a resumed run is identical to an uninterrupted one."""
    export_precision: Precision
    networks: Annotated[
        ListOf[Annotated[Size, PlainValidator(_parse_size)]],
        Field(min_length=1),
        Expects(f"a list of network sizes ({SIZE_FORM})"),
    ]
    """The first network plays; the others learn from the same samples."""
    simulations: Schedule
    """Simulations of each search, constant between the points."""
    play_until: Fraction = 1.0
    """Fraction of the run from which the networks learn from the full replay buffer and no more games are played."""
    boards: Annotated[ListOf[BoardRange], Field(min_length=1)]
    self_play: SelfPlayConfig
    search: SearchConfig
    learner: LearnerConfig
    match: MatchConfig

    @model_validator(mode="after")
    def _check_consistency(self) -> Self:
        if (self.total_s > 0) == (self.total_iterations > 0):
            raise ValueError("exactly one of total_s and total_iterations must be above 0")
        if not any(board_range.weight > 0 for board_range in self.boards):
            raise ValueError("boards: at least one weight must be above 0")
        needed = max(max(count for _, count in self.simulations), self.match.simulations)
        if needed > self.search.max_simulations:
            raise ValueError(
                f"search.max_simulations is {self.search.max_simulations}, but the run needs {needed:g} simulations"
            )
        if self.learner.min_buffer_iterations > self.learner.buffer_iterations:
            raise ValueError("learner.min_buffer_iterations must not be above learner.buffer_iterations")
        return self


def load_config(path: Path) -> RunConfig:
    """Read the configuration of a run from a TOML file; InputError names the file, the key and what is allowed."""
    return validate(RunConfig, read_toml(path), str(path))
