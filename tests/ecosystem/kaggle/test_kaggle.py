"""Plays the exported submission inside kaggle-environments, as Kaggle's validation and matches do."""

from typing import Any

import pytest

from fourfall.exports.kaggle_submission import export_kaggle

kaggle_environments = pytest.importorskip("kaggle_environments")

FAST = {"actTimeout": 0.2}


@pytest.fixture(scope="module")
def submission(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Export the submission."""
    path = tmp_path_factory.mktemp("kaggle") / "submission.py"
    export_kaggle(path)
    return str(path)


def run_episode(agents: list[str], **configuration: Any) -> Any:  # noqa: ANN401 (an environment of Kaggle)
    """Play an episode and check that no agent failed or wrote an error."""
    environment = kaggle_environments.make("connectx", configuration={**FAST, **configuration})
    environment.run(agents)
    assert [agent.status for agent in environment.state] == ["DONE", "DONE"]
    messages = [log.get("stdout", "") + log.get("stderr", "") for step in environment.logs for log in step if log]
    assert "".join(messages) == ""
    return environment


def test_defaults_are_those_of_the_documentation() -> None:
    """Board, time per move and overage time have the documented default values."""
    configuration = kaggle_environments.make("connectx").configuration
    assert (configuration.rows, configuration.columns, configuration.inarow, configuration.actTimeout) == (6, 7, 4, 2)


def test_validation_episode_against_itself(submission: str) -> None:
    """Kaggle accepts a submission that plays a whole game against itself; the reserve of time stays untouched."""
    environment = run_episode([submission, submission])
    assert min(agent.observation.remainingOverageTime for agent in environment.state) > 25


@pytest.mark.parametrize("opponent", ["random", "negamax"])
@pytest.mark.parametrize("side", [0, 1])
def test_submission_beats_the_built_in_agents(submission: str, opponent: str, side: int) -> None:
    """The submission wins as first and as second player."""
    agents = [submission, opponent] if side == 0 else [opponent, submission]
    assert run_episode(agents).state[side].reward == 1


@pytest.mark.parametrize(("rows", "columns", "inarow"), [(1, 1, 1), (4, 5, 3), (8, 9, 5), (13, 14, 4)])
def test_other_configurations(submission: str, rows: int, columns: int, inarow: int) -> None:
    """Every size and length of line that Kaggle allows is played to the end."""
    run_episode([submission, "random"], rows=rows, columns=columns, inarow=inarow, actTimeout=0.05)
