"""The parser of the command line: what does `pysim` do?

Exit status: 0 if the question was answered, 2 for anything wrong with it (one line on standard error).
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from typing import Final, NoReturn

from pysim.errors import BadValue, PysimError, one_line
from pysim.formats.default import AS_CONFIG

_LONGEST_USAGE: Final = 300


def main(arguments: Sequence[str] | None = None) -> int:
    """Answer one command line; `arguments` defaults to the process's own."""
    try:
        from pysim.cli.serving.command import with_way

        asked = _parser().parse_args(with_way(sys.argv[1:] if arguments is None else arguments))
        answer: Callable[[argparse.Namespace], None] = asked.answer
        answer(asked)
        sys.stdout.flush()
    except PysimError as error:
        return _refuse(str(error))
    except BrokenPipeError:
        # The reader (head, less) has seen enough. Python would complain once more when it closes stdout.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        return _refuse(f"cannot write: {error.strerror}")
    except KeyboardInterrupt:
        return 130
    return 0


def _refuse(message: str) -> int:
    print("pysim: " + " ".join(message.split()), file=sys.stderr)
    return 2


class _Parser(argparse.ArgumentParser):
    """Reports bad usage in one line, like any other error."""

    def error(self, message: str) -> NoReturn:
        raise BadValue(f"{one_line(message, _LONGEST_USAGE)} (see {self.prog} --help)")


def _parser() -> _Parser:
    from pysim.cli import accuracy, doctor, engines, lists, measured, model, request
    from pysim.cli.serving import command

    parser = _Parser(prog="pysim", description="How long a language model takes, and how much memory it needs.")
    parser.add_argument("--version", action="version", version=_version())
    questions = parser.add_subparsers(title="questions", required=True, metavar="QUESTION", parser_class=_Parser)

    models = questions.add_parser("models", help="the models in the catalog")
    devices = questions.add_parser("devices", help="the devices in the catalog")
    programs = questions.add_parser("engines", help="the engines in the catalog")
    for listing, answer in ((models, lists.models), (devices, lists.devices), (programs, engines.engines)):
        listing.add_argument(
            "words", nargs="*", metavar="WORD", help="only entries whose key or name has all these words"
        )
        _finish(listing, answer)

    one = questions.add_parser("model", help="what a model is: parameters, layers, cache, weight format")
    model.arguments(one)
    _finish(one, model.model)

    kv = questions.add_parser("kv", help="bytes of the KV cache, and the longest context that fits")
    _model(kv, metavar="MODEL DEVICE")
    kv.add_argument("--tokens", "--context-tokens", type=int, metavar="N", help="default: the model's longest context")
    kv.add_argument("--device", metavar="KEY", help="also show the longest context that fits next to the weights")
    kv.add_argument("--reserve-bytes", type=float, default=0, metavar="B", help="device memory to keep free")
    kv.add_argument("--sequences", type=int, default=1, metavar="N", help="simultaneous conversations (1)")
    _formats(kv)
    _finish(kv, lists.kv)

    estimate = questions.add_parser("estimate", help="times, speeds and memory of a request")
    _model(estimate, metavar="MODEL DEVICE")
    _request(estimate)
    measured.arguments(estimate)
    _finish(estimate, request.estimate)

    compare = questions.add_parser("compare", help="the same request on several models, devices or formats")
    _model(compare, metavar="MODELS DEVICES")
    _request(compare)
    _finish(compare, request.compare)

    diagnosis = questions.add_parser("doctor", help="what a tool printed: which phase is slow, and what would help")
    doctor.arguments(diagnosis)
    _finish(diagnosis, doctor.doctor)

    scores = questions.add_parser("accuracy", help="how far predictions are from the measurements in your table")
    accuracy.arguments(scores)
    _finish(scores, accuracy.accuracy)

    serving = questions.add_parser("serve", help="many requests over time: traces, how many devices, load tests")
    command.arguments(serving, _finish)
    return parser


def _model(parser: argparse.ArgumentParser, **options: object) -> None:
    what = "a model, and a device where one is needed: keys or names, as `pysim models` and `pysim devices` list them"
    parser.add_argument("names", nargs="*", help=what, **options)  # type: ignore[arg-type]
    parser.add_argument("--model", metavar="KEY", help="the model, as an option: a key, a name or a Hugging Face id")
    parser.add_argument("--config", metavar="PATH", help="a Hugging Face config.json instead of a model's key")


def _formats(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--weights",
        default=AS_CONFIG,
        metavar="FORMAT",
        help="f16, fp8, q8_0, q4_k_m, awq, … (config: from the model's config, else f16)",
    )
    parser.add_argument("--kv", default="f16", metavar="FORMAT", help="f16, fp8, q8_0, q4_0, … (f16)")


def _request(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--device", metavar="KEY", help="the device, as an option")
    number = {"type": int, "metavar": "N"}
    parser.add_argument("--prompt-tokens", "--prompt", default=512, help="(512)", **number)  # type: ignore[arg-type]
    parser.add_argument("--output-tokens", "--output", default=128, help="(128)", **number)  # type: ignore[arg-type]
    parser.add_argument("--prompt-depth", "--depth", default=0, help="tokens already cached", **number)  # type: ignore[arg-type]
    parser.add_argument("--batch", default=1, help="identical requests at once (1)", **number)  # type: ignore[arg-type]
    _formats(parser)
    parser.add_argument(
        "--speed", default="typical", metavar="HOW", help="typical, or datasheet for the best case (typical)"
    )
    parser.add_argument("--engine", metavar="NAME", help="llama.cpp, vLLM, …; default: all engines combined")
    parser.add_argument("--backend", metavar="NAME", help="CUDA, Metal, Vulkan, …")
    parser.add_argument("--n-devices", default=1, help="devices of this kind (1)", **number)  # type: ignore[arg-type]
    parser.add_argument("--split", default="tensor", metavar="HOW", help="tensor or layers (tensor)")
    parser.add_argument("--chunk-tokens", help="prefill in chunks of this many", **number)  # type: ignore[arg-type]
    parser.add_argument("--layers-on-host", default=0, help="layers that run on --host", **number)  # type: ignore[arg-type]
    parser.add_argument("--host", metavar="KEY", help="the device for these layers")


def _finish(parser: argparse.ArgumentParser, answer: Callable[[argparse.Namespace], None]) -> None:
    parser.add_argument("--json", action="store_true", help="print JSON, in SI units")
    parser.set_defaults(answer=answer)


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("two-speeds")
    except PackageNotFoundError:
        return "not installed"


if __name__ == "__main__":
    sys.exit(main())
