"""Models and the traffic that goes through them; each file has one kind."""

from workloads.chains import Adds, CopiesAndSums
from workloads.decoder import Decoder
from workloads.encoder import Encoder
from workloads.graphs import Graphs
from workloads.memory import Memory
from workloads.mlp import Mlp
from workloads.ocr import Ocr
from workloads.sparse import Sparse
from workloads.storm import Storm

WORKLOADS = {
    kind.name: kind for kind in (Encoder, Decoder, Mlp, Ocr, Graphs, Sparse, Storm, Memory, Adds, CopiesAndSums)
}
