"""A graph network on graphs of any size, from one node without an edge on: nothing is padded or batched.

    python graph_network.py [MODEL.onnx]

MODEL takes x float[nodes, features] and edge_index int64[2, edges], as exported from PyTorch Geometric, and
perhaps features of edges (edge_attr) and the graph that a node belongs to (graph_id, batch); its first output
has a row per node. Without one, a small one with made-up weights is used.
"""

import argparse

import graph_network_model
import numpy as np
import pliant

SIZES = [(1, 0), (3, 6), (50, 0), (34, 156), (2000, 11_000), (7, 4), (500, 20_000)]


def random_graph(session, nodes, edges, random):
    """Feeds for a graph with made-up features."""
    shapes = {info.name: info.shape for info in session.get_inputs()}
    given = {
        "x": random.standard_normal((nodes, shapes["x"][1]), dtype=np.float32),
        "edge_index": random.integers(0, nodes, (2, edges)),
        "graph_id": np.zeros(nodes, np.int64),
        "batch": np.zeros(nodes, np.int64),
    }
    if "edge_attr" in shapes:
        given["edge_attr"] = random.standard_normal((edges, shapes["edge_attr"][1]), dtype=np.float32)
    return {name: given[name] for name in shapes}


def renumbered(feeds, order):
    """The same graph with the last edge first, whose node i was order[i]."""
    number = np.argsort(order)
    changed = {"x": feeds["x"][order], "edge_index": number[feeds["edge_index"]][:, ::-1]}
    if "edge_attr" in feeds:
        changed["edge_attr"] = feeds["edge_attr"][::-1]
    return feeds | changed


def memory_of(session, feeds):
    """What a run will take beside inputs and outputs, without running it."""
    try:
        return f"{session.estimate(session.sizes_of(feeds)).arena_bytes / 1024:.1f} KiB"
    except pliant.UnsupportedError:  # a size is computed from the contents of a tensor
        return "not known"


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", nargs="?")
    model = parser.parse_args(arguments).model
    session = pliant.InferenceSession(model or graph_network_model.build())
    random = np.random.default_rng(4)

    print("nodes  edges  memory in between  changes when renumbered  differs from NumPy")
    for nodes, edges in SIZES:
        feeds = random_graph(session, nodes, edges, random)
        memory = memory_of(session, feeds)
        rows = session.run(None, feeds)[0]
        order = random.permutation(nodes)
        change = np.abs(session.run(None, renumbered(feeds, order))[0] - rows[order]).max()
        by_numpy = "" if model else f"{np.abs(rows - graph_network_model.reference(**feeds)).max():.1e}"
        print(f"{nodes:5}  {edges:5}  {memory:>17}  {change:23.1e}  {by_numpy:>18}")

    stats = session.stats()
    print(f"{stats.runs} runs, {stats.plans.total.any_runs} of them by one plan that is for any size")


if __name__ == "__main__":
    main()
