"""Make an encoder's linear layers compute in training as they will when they are quantised, so that it learns to live with it.

Weights: symmetric, a scale for each output, 7 of the 8 bits (with all 8, processors without VNNI saturate and find other entities).
Inputs: asymmetric 8 bits, a scale for each text. Gradients pass straight through (Jacob et al. 2018, section 3).
"""

from __future__ import annotations

import torch
from torch import nn
from torch.nn.utils import parametrize

__all__ = ["simulate"]

LEVELS = 64
"""The largest quantised weight."""


class _Weight(nn.Module):
    def forward(self, weight: torch.Tensor) -> torch.Tensor:
        scale = weight.abs().amax(1, keepdim=True).clamp(min=1e-12) / LEVELS
        return weight + (torch.round(weight / scale) * scale - weight).detach()


def _input(module: nn.Module, arguments: tuple[torch.Tensor]) -> tuple[torch.Tensor]:
    (x,) = arguments
    with torch.no_grad():
        axes = tuple(range(1, x.dim()))
        low, high = x.amin(axes, keepdim=True).clamp(max=0), x.amax(axes, keepdim=True).clamp(min=0)
        scale = ((high - low) / 255).clamp(min=1e-12)
        change = (torch.round(x / scale) * scale).clamp(low, high) - x
    return (x + change,)


def simulate(encoder: nn.Module) -> None:
    """Put the simulation on every linear layer of the encoder, in place. The weights stay float and are what is trained and saved.

    After it, ``state_dict`` names a weight ``parametrizations.weight.original``; :func:`parametrize.remove_parametrizations` with
    ``leave_parametrized=False`` takes it off again.
    """
    for module in encoder.modules():
        if isinstance(module, nn.Linear):
            parametrize.register_parametrization(module, "weight", _Weight())
            module.register_forward_pre_hook(_input)
