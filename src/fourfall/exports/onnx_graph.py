"""Builds the ONNX graph of the network; needs the package onnx.

The tensors keep their names in the weights file. Convolutions become [output][input][row][column]; matrices stay
[input][output].
"""

from collections.abc import Sequence

import numpy as np
import onnx
from numpy.typing import ArrayLike
from onnx import TensorProto, helper, numpy_helper

from fourfall.weights.tensors import PLANES, WeightsTensors

_BOARD, _LANDING = 2, 4  # planes that the network uses as masks
_ROW_AXIS = 2


def make_graph(network: WeightsTensors, full_column: float) -> onnx.GraphProto:
    """Return the graph: from `planes` to `value` [batch] and `policy` [batch][column]."""
    graph = _GraphBuilder(network)
    board = graph.slice_plane(_BOARD, "board")
    landing = graph.slice_plane(_LANDING, "landing")
    graph.cells = graph.add("ReduceSum", [board, graph.axes(2, 3)], "cells", keepdims=0)  # [batch][1]
    x = graph.add_masked(graph.add_convolution("planes", "stem"), board, "stem")
    for block in range(int(network.header["blocks"])):
        x = _add_block(graph, x, board, block)
    pooled = graph.add_pooling(x, "trunk")
    _add_value_head(graph, pooled)
    _add_policy_head(graph, x, pooled, landing, full_column)
    return graph.build()


def _add_block(graph: "_GraphBuilder", x: str, board: str, block: int) -> str:
    hidden = graph.add_masked(graph.add_convolution(x, f"a{block}"), board, f"a{block}")
    change = graph.add_convolution(hidden, f"c{block}")
    if f"pool{block}" in graph.tensors:
        pooled = graph.add_pooling(hidden, f"a{block}")
        everywhere = graph.add_product(pooled, f"pool{block}")
        everywhere = graph.add("Unsqueeze", [everywhere, graph.axes(2, 3)], f"pool{block}_cells")
        change = graph.add("Add", [change, everywhere], f"change{block}")
    return graph.add_masked(graph.add("Add", [x, change], f"sum{block}"), board, f"block{block}")


def _add_value_head(graph: "_GraphBuilder", pooled: str) -> None:
    hidden = graph.add_product(pooled, "value_1", "value_1_bias")
    hidden = graph.add("Relu", [hidden], "value_hidden")
    logit = graph.add_product(hidden, "value_2", "value_2_bias")
    half = graph.add("Mul", [logit, graph.add_constant("half", np.float32(0.5))], "half_value_logit")
    graph.add("Tanh", [half], "value", is_output=True)


def _add_policy_head(graph: "_GraphBuilder", x: str, pooled: str, landing: str, full_column: float) -> None:
    """Compute the logits at the landing cell of each column; a column without one gets the logit `full_column`."""
    at_landing = graph.add("Mul", [x, landing], "at_landing_cells")
    by_column = graph.add("ReduceSum", [at_landing, graph.axes(_ROW_AXIS)], "by_channel", keepdims=0)
    by_column = graph.add("Transpose", [by_column], "by_column", perm=[0, 2, 1])  # [batch][column][channel]
    context = graph.add_product(pooled, "policy_pool", "policy_1_bias")
    context = graph.add("Unsqueeze", [context, graph.axes(1)], "policy_context")
    hidden = graph.add("Add", [graph.add_product(by_column, "policy_1"), context], "policy_sum")
    hidden = graph.add("Relu", [hidden], "policy_hidden")
    logits = graph.add_product(hidden, "policy_2")
    stones = graph.add("ReduceSum", [landing, graph.axes(1, _ROW_AXIS)], "landing_by_column", keepdims=0)
    is_open = graph.add("Greater", [stones, graph.add_constant("zero", np.float32(0))], "is_open")
    closed = graph.add_constant("full_column", np.float32(full_column))
    graph.add("Where", [is_open, logits, closed], "policy", is_output=True)


class _GraphBuilder:
    """Collects nodes and initializers; every method that adds a node returns the name of its output."""

    def __init__(self, network: WeightsTensors) -> None:
        self.tensors = network.tensors
        self.cells = ""
        self._nodes: list[onnx.NodeProto] = []
        self._constants: dict[str, onnx.TensorProto] = {}

    def add(
        self, operator: str, inputs: Sequence[str], name: str, *, is_output: bool = False, **attributes: int | list[int]
    ) -> str:
        output = name if is_output else f"{name}:{operator}"
        node = helper.make_node(operator, list(inputs), [output], name)
        node.attribute.extend(helper.make_attribute(key, value) for key, value in attributes.items())
        self._nodes.append(node)
        return output

    def add_constant(self, name: str, value: ArrayLike) -> str:
        if name not in self._constants:
            self._constants[name] = numpy_helper.from_array(np.asarray(value, order="C"), name)
        return name

    def axes(self, *axes: int) -> str:
        return self.add_constant("axes_" + "_".join(map(str, axes)), np.array(axes, np.int64))

    def slice_plane(self, plane: int, name: str) -> str:
        bounds = [self.add_constant(f"{name}_{at}", np.array([plane + at], np.int64)) for at in (0, 1)]
        return self.add("Slice", ["planes", *bounds, self.axes(1)], name)

    def add_convolution(self, x: str, name: str) -> str:
        kernel = self.add_constant(name, self.tensors[name].transpose(3, 2, 0, 1))
        bias = self.add_constant(f"{name}_bias", self.tensors[f"{name}_bias"])
        return self.add("Conv", [x, kernel, bias], f"{name}_conv", kernel_shape=[3, 3], pads=[1, 1, 1, 1])

    def add_product(self, x: str, name: str, bias: str | None = None) -> str:
        product = self.add("MatMul", [x, self.add_constant(name, self.tensors[name])], f"{name}_product")
        if bias is None:
            return product
        return self.add("Add", [product, self.add_constant(bias, self.tensors[bias])], f"{name}_sum")

    def add_masked(self, x: str, board: str, name: str) -> str:
        positive = self.add("Relu", [x], f"{name}_relu")
        return self.add("Mul", [positive, board], f"{name}_masked")

    def add_pooling(self, x: str, name: str) -> str:
        """Concatenate mean and maximum of each channel over the board: [batch][2 * channels]."""
        total = self.add("ReduceSum", [x, self.axes(2, 3)], f"{name}_sum", keepdims=0)
        mean = self.add("Div", [total, self.cells], f"{name}_mean")
        largest = self.add("ReduceMax", [x], f"{name}_max", axes=[2, 3], keepdims=0)
        return self.add("Concat", [mean, largest], f"{name}_pooled", axis=1)

    def build(self) -> onnx.GraphProto:
        planes = helper.make_tensor_value_info(
            "planes", TensorProto.FLOAT, ["batch", PLANES, "rows", "cols"], "input planes, bottom row first"
        )
        value = helper.make_tensor_value_info("value", TensorProto.FLOAT, ["batch"], "expected result, -1 to 1")
        policy = helper.make_tensor_value_info("policy", TensorProto.FLOAT, ["batch", "cols"], "logit of each column")
        return helper.make_graph(self._nodes, "fourfall", [planes], [value, policy], list(self._constants.values()))
