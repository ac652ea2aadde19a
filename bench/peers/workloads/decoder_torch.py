"""The decoder as one would write it in PyTorch."""

import torch
from torch.nn import functional
from workloads.encoder_torch import embedding_of, linear_of, norm_of


class Layer(torch.nn.Module):
    def __init__(self, decoder, layer):
        super().__init__()
        self.heads = decoder.heads
        for name, pair in decoder.linears(layer).items():
            setattr(self, name, linear_of(*pair))
        self.attention_norm = norm_of(*decoder.norm(f"{layer}.attention"))
        self.output_norm = norm_of(*decoder.norm(f"{layer}.output"))

    def split(self, x):
        return x.unflatten(-1, (self.heads, -1)).transpose(1, 2)

    def forward(self, x, past_key, past_value):
        query, key, value = (self.split(part) for part in self.mixed(self.attention_norm(x)).chunk(3, -1))
        key = torch.cat((past_key, key), 2)
        value = torch.cat((past_value, value), 2)
        # A prompt comes first and alone, then single tokens that see all.
        joined = functional.scaled_dot_product_attention(query, key, value, is_causal=x.shape[1] > 1)
        x = x + self.joined(joined.transpose(1, 2).flatten(2))
        return x + self.down(functional.gelu(self.up(self.output_norm(x)))), key, value


class DecoderModule(torch.nn.Module):
    def __init__(self, decoder):
        super().__init__()
        self.words = embedding_of(decoder.words())
        self.positions = embedding_of(decoder.positions())
        self.layers = torch.nn.ModuleList(Layer(decoder, layer) for layer in range(decoder.layers))
        self.norm = norm_of(*decoder.norm("last"))
        self.scores = torch.nn.Parameter(torch.from_numpy(decoder.scores()))

    def forward(self, ids, *past):
        before = past[0].shape[2]
        x = self.words(ids) + self.positions(torch.arange(before, before + ids.shape[1]))
        present = []
        for number, layer in enumerate(self.layers):
            x, *kept = layer(x, *past[2 * number : 2 * number + 2])
            present += kept
        return (*present, self.norm(x[:, -1]) @ self.scores)
