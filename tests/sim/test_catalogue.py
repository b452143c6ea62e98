"""The catalogue and what is derived from it."""

import pytest
from sim.catalogue import gpu, gpu_names, model, model_names
from sim.derivation import derive

from sim import Setup


def test_the_70b_setup_of_the_worked_design_is_derived():
    setup = Setup.for_model("llama-3-70b", gpu="h100", tp=8, weights="fp8", kv="fp8", mfu=0.4, step_overhead=1.5e-3)
    assert setup.kv_bytes_per_token == 163_840
    assert setup.kv_capacity_tokens == 3_084_716
    assert (setup.params, setup.weight_bytes, setup.peak_flops, setup.bandwidth) == (70.6e9, 70.6e9, 8 * 1979e12, 8 * 3.35e12)
    assert (setup.mfu, setup.step_overhead) == (0.4, 1.5e-3)
    assert setup.is_default


@pytest.mark.parametrize(("name", "kv_bytes"), [("deepseek-v3", 70_272), ("qwen2.5-7b", 57_344), ("llama-3-70b", 327_680),
                                               ("llama-3-8b", 131_072)])
def test_kv_bytes_per_token_are_the_published_ones(name, kv_bytes):
    assert model(name).kv_numbers_per_token() * 2 == kv_bytes


def test_each_kv_head_is_kept_again_where_there_are_more_gpus_than_heads():
    assert model("qwen2.5-7b").kv_numbers_per_token(8) == 2 * model("qwen2.5-7b").kv_numbers_per_token(4)
    assert model("deepseek-v3").kv_numbers_per_token(8) == 8 * model("deepseek-v3").kv_numbers_per_token()


def test_attention_flops_per_pair_of_mla_are_the_published_ones():
    setup = derive("deepseek-v3", "h200", 16, "fp8", "fp8", realistic=True).setup
    assert setup.attention_flops / 61 == 81_920


@pytest.mark.parametrize("name", model_names())
def test_parts_of_a_model_are_smaller_than_the_whole(name):
    shape = model(name)
    assert shape.active <= shape.params
    assert shape.expert_params < shape.params
    if shape.experts:
        rest = shape.params - shape.expert_params
        assert rest + shape.expert_params * shape.experts_per_token / shape.experts == pytest.approx(shape.active, rel=0.12)
    else:
        # Attention and the embedding alone are less than all parameters.
        attention = shape.layers * shape.hidden * shape.head_dim * (2 * shape.heads + 2 * shape.kv_heads)
        assert attention < shape.params


@pytest.mark.parametrize("name", gpu_names())
def test_every_number_of_a_gpu_has_a_source_with_a_date(name):
    card = gpu(name)
    for field, citation in card.sources.items():
        assert getattr(card, field)
        assert citation.endswith(")") and "(20" in citation
    assert all(flops >= card.flops["bf16"] for flops in card.flops.values())


def test_a_derivation_says_how_each_field_came_about():
    text = str(derive("qwen3-30b-a3b", "h100", 2, realistic=True))
    for words in ("params", "3.05e+10 parameters * 2 bytes", "KV heads", "all-reduces", "routed experts", "data sheet"):
        assert words in text


def test_a_model_that_does_not_fit_is_named_with_what_would():
    with pytest.raises(ValueError, match="deepseek-v3 with fp8 weights takes 671.0 GB, but 8 x NVIDIA H100 SXM 80 GB leave 576.0 GB.*tp=16"):
        Setup.for_model("deepseek-v3", gpu="h100", tp=8, weights="fp8", kv="fp8")


def test_unknown_names_get_the_nearest_ones():
    with pytest.raises(ValueError, match="did you mean llama-3-70b"):
        Setup.for_model("llama3-70b")
    with pytest.raises(ValueError, match="did you mean h"):
        Setup.for_model("llama-3-8b", gpu="h10")
    with pytest.raises(ValueError, match="weights is 'fp16', but it must be one of bf16"):
        Setup.for_model("llama-3-8b", weights="fp16")
