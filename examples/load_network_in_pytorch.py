"""Loads the network into PyTorch, compares it with the engine, and trains it further.

The network is exported as ONNX; its weights then become parameters of a PyTorch module, so that it can be trained. Run
it with:

    pip install "fourfall[onnx]" torch
    python examples/load_network_in_pytorch.py

The example trains the value on small boards that the exact solver solves, and prints the loss on other such boards.
"""

import argparse
import random
import tempfile
from pathlib import Path

import numpy as np

try:
    import onnx
    import torch
    from google.protobuf.message import DecodeError
    from onnx import numpy_helper
    from torch import Tensor, nn
    from torch.nn import functional
except ModuleNotFoundError as missing:
    install = 'pip install "fourfall[onnx]" torch'
    raise SystemExit(f"this example needs the package {missing.name}; install it with: {install}") from None

from fourfall import Board, Network, solve, weights
from fourfall.exports.onnx_network import export_onnx, make_planes

BOARD, LANDING, SAFE = 2, 4, 11  # planes that are used as masks


def load_model(file: Path) -> onnx.ModelProto:
    """Load an ONNX file that `fourfall export onnx` wrote."""
    try:
        model = onnx.load(str(file))
    except (OSError, DecodeError) as error:
        raise SystemExit(f"{file}: cannot be read as ONNX: {error}") from None
    if model.producer_name != "fourfall":
        raise SystemExit(f"{file}: not written by fourfall export onnx")
    return model


class FourfallNetwork(nn.Module):
    """The network with the weights of an ONNX file as parameters; `forward` returns value logits and policy logits."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        constants = {each.name: each for each in load_model(file).graph.initializer}
        for name, constant in constants.items():
            if constant.data_type == onnx.TensorProto.FLOAT and constant.dims:  # without the constants of the graph
                self.register_parameter(name, nn.Parameter(torch.tensor(numpy_helper.to_array(constant))))
        self.blocks = sum(name.startswith("a") and name[1:].isdecimal() for name in constants)

    def convolve(self, x: Tensor, name: str) -> Tensor:
        """Apply a 3x3 convolution."""
        return functional.conv2d(x, self.get_parameter(name), self.get_parameter(f"{name}_bias"), padding=1)

    def forward(self, planes: Tensor) -> tuple[Tensor, Tensor]:
        """Evaluate planes [batch][plane][row][column]; tanh(value logit / 2) is the value, from -1 to 1."""
        weight = self.get_parameter
        board, landing = planes[:, BOARD : BOARD + 1], planes[:, LANDING : LANDING + 1]

        def pool(x: Tensor) -> Tensor:
            return torch.cat([x.sum((2, 3)) / board.sum((2, 3)), x.amax((2, 3))], 1)

        x = functional.relu(self.convolve(planes, "stem")) * board
        for block in range(self.blocks):
            hidden = functional.relu(self.convolve(x, f"a{block}")) * board
            change = self.convolve(hidden, f"c{block}")
            if block % 2 == 1:
                change = change + (pool(hidden) @ weight(f"pool{block}"))[:, :, None, None]
            x = functional.relu(x + change) * board
        pooled = pool(x)
        value = functional.relu(pooled @ weight("value_1") + weight("value_1_bias")) @ weight("value_2")
        cells = (x * landing).sum(2).transpose(1, 2)  # [batch][column][channel]
        context = pooled @ weight("policy_pool") + weight("policy_1_bias")
        policy = functional.relu(cells @ weight("policy_1") + context[:, None]) @ weight("policy_2")
        return value + weight("value_2_bias"), policy.masked_fill(landing.sum((1, 2)) == 0, -1e9)


def make_random_boards(count: int, rows: int, cols: int, stones: int, seed: int) -> list[Board]:
    """Return unfinished games with this number of random stones."""
    rng = random.Random(seed)  # noqa: S311 (reproducible positions)
    boards: list[Board] = []
    while len(boards) < count:
        board = Board(rows, cols)
        while board.ply < stones and not board.is_over:
            board.push(rng.choice(board.legal_moves))
        if not board.is_over:
            boards.append(board)
    return boards


def measure_difference(network: FourfallNetwork, boards: list[Board]) -> float:
    """Return the largest difference of a value from that of the engine in single precision."""
    engine = weights.load(weights.PACKAGED, "float32")
    if not isinstance(engine, Network):
        raise SystemExit("the package was built without the weights of the network")
    with torch.no_grad():
        values = torch.tanh(network(torch.from_numpy(make_planes(boards)))[0] / 2)
    return max(abs(float(value) - engine.evaluate(board)[0]) for board, value in zip(boards, values, strict=True))


def print_policy(network: FourfallNetwork, board: Board) -> None:
    """Print the value of a position and the probability of each safe column."""
    planes = torch.from_numpy(make_planes([board]))
    with torch.no_grad():
        value, policy = network(planes)
    is_safe = planes[:, SAFE].sum(1) > 0
    shares = torch.softmax(policy.masked_fill(~is_safe, -1e9), 1)[0] if is_safe.any() else torch.softmax(policy, 1)[0]
    print(board)
    print(f"value for the side to move: {float(torch.tanh(value[0] / 2)):+.3f}")
    print("policy:", *(f"{column + 1}: {100 * float(share):.1f} %" for column, share in enumerate(shares)), sep="  ")


def make_samples(count: int, seed: int) -> tuple[Tensor, Tensor]:
    """Return planes of small boards, and as targets the share of the points under perfect play: 1, 0.5 or 0."""
    boards = make_random_boards(count, rows=5, cols=6, stones=10, seed=seed)
    scores = [score for board in boards if (score := solve(board).score) is not None]  # None only with a limit
    shares = np.array([score.win_chance for score in scores], np.float32)
    return torch.from_numpy(make_planes(boards)), torch.from_numpy(shares)


def train(network: FourfallNetwork, steps: int, samples: int) -> None:
    """Train the value on solved positions and print the loss on other ones."""
    planes, targets = make_samples(samples, seed=1)
    test_planes, test_targets = make_samples(samples, seed=2)
    optimizer = torch.optim.Adam(network.parameters(), lr=1e-4)
    for step in range(steps + 1):
        if step % max(1, steps // 5) == 0:
            with torch.no_grad():
                loss = functional.binary_cross_entropy_with_logits(network(test_planes)[0], test_targets)
            print(f"step {step}: loss {float(loss):.4f} on positions that are not trained on")
        chosen = torch.randint(len(planes), (64,))
        optimizer.zero_grad()
        functional.binary_cross_entropy_with_logits(network(planes[chosen])[0], targets[chosen]).backward()
        optimizer.step()


def main() -> None:
    """Run the example."""
    parser = argparse.ArgumentParser(description="Load the network into PyTorch and train it further.")
    parser.add_argument("--file", type=Path, help="ONNX file written by fourfall export onnx (default: export one)")
    parser.add_argument("--position", default="6x7:4433", help="position whose policy is printed")
    parser.add_argument("--steps", type=int, default=30, help="training steps with 64 positions each (default: 30)")
    parser.add_argument("--samples", type=int, default=256, help="solved positions to train on (default: 256)")
    parser.add_argument("--save", type=Path, metavar="FILE.pt", help="write the trained parameters")
    arguments = parser.parse_args()
    try:
        board = Board.parse(arguments.position)
        make_planes([board])
    except ValueError as error:
        parser.error(f"--position: {error}")
    torch.manual_seed(0)
    with tempfile.TemporaryDirectory() as folder:
        file = arguments.file or Path(folder) / "network.onnx"
        if arguments.file is None:
            export_onnx(file)
        network = FourfallNetwork(file)
    boards = make_random_boards(64, rows=9, cols=10, stones=20, seed=0)
    print(f"{sum(each.numel() for each in network.parameters())} parameters in {network.blocks} blocks")
    print(f"largest difference from the engine in {len(boards)} values: {measure_difference(network, boards):.1e}")
    print_policy(network, board)
    train(network, arguments.steps, arguments.samples)
    if arguments.save is not None:
        torch.save(network.state_dict(), arguments.save)


if __name__ == "__main__":
    main()
