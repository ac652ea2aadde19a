"""The decoder as CTranslate2 wants it."""

import numpy
from ctranslate2.specs import common_spec, transformer_spec
from workloads.encoder_ctranslate2 import set_linear, set_norm


def decoder_spec(decoder):
    model = transformer_spec.TransformerDecoderModelSpec.from_config(
        decoder.layers, decoder.heads, pre_norm=True, activation=common_spec.Activation.GELU
    )
    spec = model.decoder
    spec.scale_embeddings = False
    spec.embeddings.weight = decoder.words()
    spec.position_encodings.encodings = decoder.positions()
    set_norm(spec.layer_norm, *decoder.norm("last"))
    spec.projection.weight = numpy.ascontiguousarray(decoder.scores().T)
    for number, layer in enumerate(spec.layer):
        linears = decoder.linears(number)
        set_norm(layer.self_attention.layer_norm, *decoder.norm(f"{number}.attention"))
        set_linear(layer.self_attention.linear[0], *linears["mixed"])
        set_linear(layer.self_attention.linear[1], *linears["joined"])
        set_norm(layer.ffn.layer_norm, *decoder.norm(f"{number}.output"))
        set_linear(layer.ffn.linear_0, *linears["up"])
        set_linear(layer.ffn.linear_1, *linears["down"])
    model.register_vocabulary([f"word{number}" for number in range(decoder.vocabulary)])
    model.config.unk_token = model.config.bos_token = model.config.eos_token = "word0"
    model.config.layer_norm_epsilon = 1e-5
    return model
