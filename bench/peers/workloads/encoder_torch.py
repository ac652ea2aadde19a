"""The encoder as one would write it in PyTorch."""

import torch
from torch.nn import functional


def linear_of(weight, bias):
    """`weight` is [in, out], as in ONNX."""
    made = torch.nn.Linear(*weight.shape, device="meta")
    made.weight = torch.nn.Parameter(torch.from_numpy(weight.T.copy()))
    made.bias = torch.nn.Parameter(torch.from_numpy(bias))
    return made


def norm_of(scale, bias):
    made = torch.nn.LayerNorm(len(scale), eps=1e-5)
    made.weight = torch.nn.Parameter(torch.from_numpy(scale))
    made.bias = torch.nn.Parameter(torch.from_numpy(bias))
    return made


def embedding_of(rows):
    return torch.nn.Embedding.from_pretrained(torch.from_numpy(rows))


class Layer(torch.nn.Module):
    def __init__(self, encoder, layer):
        super().__init__()
        self.heads = encoder.heads
        for name, pair in encoder.linears(layer).items():
            setattr(self, name, linear_of(*pair))
        self.attention_norm = norm_of(*encoder.norm(f"{layer}.attention"))
        self.output_norm = norm_of(*encoder.norm(f"{layer}.output"))

    def split(self, x):
        return x.unflatten(-1, (self.heads, -1)).transpose(1, 2)

    def forward(self, x, mask):
        query, key, value = self.split(self.query(x)), self.split(self.key(x)), self.split(self.value(x))
        joined = functional.scaled_dot_product_attention(query, key, value, attn_mask=mask)
        x = self.attention_norm(x + self.joined(joined.transpose(1, 2).flatten(2)))
        return self.output_norm(x + self.down(functional.gelu(self.up(x))))


class EncoderModule(torch.nn.Module):
    def __init__(self, encoder):
        super().__init__()
        self.words = embedding_of(encoder.words())
        self.positions = embedding_of(encoder.positions())
        self.norm = norm_of(*encoder.norm("embedding"))
        self.layers = torch.nn.ModuleList(Layer(encoder, layer) for layer in range(encoder.layers))

    def forward(self, ids, mask):
        x = self.norm(self.words(ids) + self.positions(torch.arange(ids.shape[1])))
        mask = mask[:, None, None, :].bool()
        for layer in self.layers:
            x = layer(x, mask)
        return x
