"""Set-ups that a case may have had, as pysim's catalog and formats name them."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import product
from typing import TYPE_CHECKING, Final

from pysim.checks import count
from pysim.deployed import Deployed
from pysim.doctor.case import Recognised
from pysim.doctor.judge.own_device import check_alone, own_device
from pysim.doctor.judge.prediction import PossibleRun, whole_tokens
from pysim.doctor.recognise.device import HOSTS, device_of, on_graphics
from pysim.doctor.recognise.formats import engine_of, kv_of, weights_of
from pysim.doctor.recognise.model import model_of
from pysim.engines.load import find_engine, tool_engine
from pysim.engines.names import TYPICAL, engine_name, find_backend, runs_on
from pysim.errors import BadValue
from pysim.formats.names import kv_format, weight_format
from pysim.load import load_device, load_model, read_pasted_model

if TYPE_CHECKING:
    from pysim.doctor.judge.timing import Timing
    from pysim.doctor.read.run import Run, Setup
    from pysim.engines.engine import Engine, Registry
    from pysim.hardware.device import Device
    from pysim.models.model import Model

MOST: Final = 6  # more possibilities than these say nothing together


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """What the reader of a diagnosis says: keys and names as pysim has them; None leaves it to the text."""

    model: Model | None = None
    device: Device | None = None
    weights: str | None = None
    kv: str | None = None
    engine: str | None = None
    n_devices: int | None = None


def choices(
    *,
    model: str | None,
    device: str | None,
    weights: str | None,
    kv: str | None,
    engine: str | None,
    config: str | None,
    n_devices: int | None,
    bandwidth: str | None = None,
    flops: str | None = None,
    memory: str | None = None,
) -> Choices:
    """What a reader chose, looked up; raises UnknownName, BadValue or BadConfig naming what is wrong.

    `bandwidth`, `flops`, `memory`: a device by its figures, as `own_device` reads them.
    """
    check_alone(bandwidth, flops, memory, device)
    if model is not None and config is not None:
        raise BadValue("give a model by its key or by its config.json, not both")
    picked = None if model is None else load_model(model)
    if config is not None:
        picked = read_pasted_model(config)
    if engine is not None:
        engine_name(engine)
    return Choices(
        model=picked,
        device=_chosen_device(device, bandwidth, flops, memory),
        weights=None if weights is None else weight_format(weights).name,
        kv=None if kv is None else kv_format(kv).name,
        engine=engine,
        n_devices=None if n_devices is None else count(n_devices, "n_devices", most=100_000),
    )


def _chosen_device(device: str | None, bandwidth: str | None, flops: str | None, memory: str | None) -> Device | None:
    if bandwidth is not None:
        return own_device(bandwidth, flops, memory)
    return None if device is None else load_device(device)


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """What was recognized, and the runs that are possible with it (none where something is not known at all).

    `engine`: what ran the model. `program`: the engine to which the tool that printed the text belongs.
    """

    model: Recognised | None
    device: Recognised | None
    weights: Recognised | None
    kv: Recognised
    engine: Recognised
    program: Engine | None
    n_devices: int
    possible: tuple[PossibleRun, ...]
    models: tuple[Model, ...]
    devices: tuple[Device, ...]

    @property
    def fits(self) -> bool | None:
        """Does the model fit in the devices' memory? None where that is not known, or the set-ups differ in it."""
        answers = {run.memories.possible for run in self.possible}
        return next(iter(answers)) if len(answers) == 1 else None


def recognise(run: Run, timing: Timing, chosen: Choices) -> Known:
    """Everything about a run, recognized; what its reader chose counts before what it says."""
    setup = run.setup
    program = tool_engine(run.tool)
    model, models = _models(setup, chosen, program)
    device, devices = _devices(setup, chosen)
    engine = engine_of(run.engine, run.tool)
    if chosen.engine is not None:
        engine = replace(engine_of(chosen.engine, run.tool), how="your choice")
    weights = _weights(setup, engine, models, chosen, program)
    kv = kv_of(setup) if chosen.kv is None else _chosen(chosen.kv, kv_format(chosen.kv).name, setup.kv_keys)
    n_devices = chosen.n_devices or setup.n_devices or 1
    possible: list[PossibleRun] = []
    if len(models) * len(devices) * max(1, len(_keys(weights))) <= MOST and kv.key is not None:
        possible = [
            _possible(on_model, on_device, stored, kv.key, engine.key or TYPICAL, run, timing, n_devices)
            for on_model, on_device, stored in product(models, devices, _keys(weights))
        ]
    return Known(
        model=model,
        device=device,
        weights=weights,
        kv=kv,
        engine=engine,
        program=program,
        n_devices=n_devices,
        possible=tuple(possible),
        models=models,
        devices=devices,
    )


def _models(setup: Setup, chosen: Choices, program: Engine | None) -> tuple[Recognised | None, tuple[Model, ...]]:
    if chosen.model is not None:
        return _chosen(chosen.model.key, chosen.model.name, setup.model), (chosen.model,)
    model = _model(setup, None if program is None else program.registry)
    return model, tuple(load_model(key) for key in _keys(model))


def _devices(setup: Setup, chosen: Choices) -> tuple[Recognised | None, tuple[Device, ...]]:
    if chosen.device is not None:
        return _chosen(chosen.device.key, chosen.device.name, setup.device), (chosen.device,)
    device = _away(device_of(setup.device, setup.backend, setup.device_memory_bytes), setup.device_line)
    return device, tuple(load_device(key) for key in _keys(device))


def _model(setup: Setup, registry: Registry | None) -> Recognised | None:
    """The model by its name or label; where that leaves it open, by the name of the file."""
    # A name from elsewhere in the text need not be one of the registry's.
    own = None if setup.model_line else registry
    named = _away(model_of(setup.model, setup.parameters, registry=own), setup.model_line)
    if setup.model_file is None or (named is not None and named.key is not None):
        return named
    filed = model_of(setup.model_file, setup.parameters)
    if filed is not None and filed.key is not None:
        return filed if named is None or not named.candidates or filed.key in named.candidates else named
    return named or filed


def _away(recognised: Recognised | None, line: int | None) -> Recognised | None:
    """The same, saying where it was named when that is not where the measurement is."""
    if recognised is None or line is None:
        return recognised
    basis = f"named in the text, line {line}" if recognised.key is not None else f"{recognised.how} (line {line})"
    return replace(recognised, how=basis)


def _chosen(key: str, name: str, words: str | None) -> Recognised:
    return Recognised(words=" ".join((words or "").split())[:80], key=key, name=name, how="your choice")


def _keys(recognised: Recognised | None) -> tuple[str, ...]:
    if recognised is None:
        return ()
    return (recognised.key,) if recognised.key is not None else recognised.candidates


def _weights(
    setup: Setup, engine: Recognised, models: tuple[Model, ...], chosen: Choices, program: Engine | None
) -> Recognised | None:
    if chosen.weights is not None:
        return _chosen(chosen.weights, weight_format(chosen.weights).name, setup.weights)
    recognised = (weights_of(setup, engine.key, model, program=program) for model in models or (None,))
    return next((weights for weights in recognised if weights is not None), None)


def _possible(
    model: Model, device: Device, weights: str, kv: str, engine: str, run: Run, timing: Timing, n_devices: int
) -> PossibleRun:
    setup = run.setup
    facts = find_engine(engine)
    in_layers = n_devices > 1 and (facts is None or facts.split == "layers")
    if re.search("row|tensor", setup.backend or "", re.IGNORECASE) or (setup.split or "").lower() == "tensor":
        in_layers = False
    return PossibleRun(
        on=Deployed(
            model,
            device,
            n_devices=n_devices,
            split="layers" if in_layers else "tensor",
            weight_format=weights,
            kv_format=kv,
            engine=engine if find_engine(engine) else None,
            backend=_backend(setup, device),
        ),
        sequences=1 if timing.shared else max(1, whole_tokens(timing.read_sequences or timing.sequences, 1)),
        answer_sequences=max(1, whole_tokens(timing.answer_sequences or timing.sequences, 1)),
        prompt_tokens=max(1, whole_tokens(timing.prompt_tokens, 1)),
        prompt_depth_tokens=whole_tokens(timing.depth_tokens, 0),
        output_tokens=max(1, whole_tokens(timing.output_tokens, 1)),
        decode_depth_tokens=whole_tokens(timing.answer_depth_tokens, 0),
    )


def _backend(setup: Setup, device: Device) -> str | None:
    """The backend that the text names, unless it cannot run on a device that may be the wrong one."""
    backend = find_backend(setup.backend) if setup.backend else None
    return backend if backend is not None and runs_on(backend, device.family) else None


def on_host(setup: Setup, models: tuple[Model, ...], devices: tuple[Device, ...] = ()) -> str | None:
    """How the text says that a part of the model stayed in the host's memory; None where it says no such thing."""
    if setup.tensors_on_host and setup.tensors_on_host.lower() not in ("none", "0"):
        return f"tensors kept on the host ({setup.tensors_on_host[:60]})"
    if setup.host_share is not None and setup.host_share > 0.01:
        return f"{setup.host_share:.0%} of the model is in host memory"
    layers = setup.layers or (models[0].num_hidden_layers if len(models) == 1 else None)
    asked = setup.layers_on_device
    if layers is not None and asked is not None and 0 <= asked < layers:
        graphics = on_graphics(setup.backend)
        if (
            asked
            or graphics
            or (graphics is None and devices and all(device.family not in HOSTS for device in devices))
        ):
            return f"{asked} of {layers} layers on the device"
    return None
