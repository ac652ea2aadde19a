"""The encoder as CTranslate2 wants it."""

import numpy
from ctranslate2.specs import common_spec, transformer_spec


def set_linear(spec, weight, bias):
    spec.weight = numpy.ascontiguousarray(weight.T)
    spec.bias = bias


def set_norm(spec, scale, bias):
    spec.gamma, spec.beta = scale, bias


def encoder_spec(encoder, vocabulary):
    spec = transformer_spec.TransformerEncoderSpec(
        encoder.layers,
        encoder.heads,
        pre_norm=False,
        activation=common_spec.Activation.GELU,
        layernorm_embedding=True,
    )
    spec.scale_embeddings = False
    spec.embeddings[0].weight = encoder.words()
    spec.position_encodings.encodings = encoder.positions()
    set_norm(spec.layernorm_embedding, *encoder.norm("embedding"))
    for number, layer in enumerate(spec.layer):
        linears = encoder.linears(number)
        parts = [linears[name] for name in ("query", "key", "value")]
        set_linear(
            layer.self_attention.linear[0],
            numpy.concatenate([weight for weight, _ in parts], axis=1),
            numpy.concatenate([bias for _, bias in parts]),
        )
        set_linear(layer.self_attention.linear[1], *linears["joined"])
        set_norm(layer.self_attention.layer_norm, *encoder.norm(f"{number}.attention"))
        set_linear(layer.ffn.linear_0, *linears["up"])
        set_linear(layer.ffn.linear_1, *linears["down"])
        set_norm(layer.ffn.layer_norm, *encoder.norm(f"{number}.output"))
    model = transformer_spec.TransformerEncoderModelSpec(spec)
    model.register_vocabulary([f"word{number}" for number in range(vocabulary)])
    model.config.unk_token = "word0"
    model.config.layer_norm_epsilon = 1e-5
    return model
