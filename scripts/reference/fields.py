"""Fields of records and rows: names, types and defaults, and what is said of each in a comment behind it."""

import dataclasses
import inspect
import io
import re
import textwrap
import tokenize
from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import Enum
from typing import Any

from pydantic import BaseModel

from affordance.core.json_text import Json
from reference.markdown import code, plain, table

_NOISE = re.compile(r"typing\.|pathlib\.|collections\.abc\.|affordance\.[\w.]+\.|pydantic\.[\w.]+\.")

_FIELD = re.compile(r"    (\w+)(?:: | = )")


def fields_table(cls: type[Any], without: Iterable[str] = ()) -> str:
    """The fields of a class, except for those that are not written."""
    return _table("field", [one for one in _fields(cls) if one[0] not in without], _comments(cls))


def arguments_table(function: Callable[..., Any], told_by: Any) -> str:
    """Of the arguments of a function, those that are told in comments: of its own, or of the options that it takes."""
    remarks = _own_comments(told_by)
    rows = [
        (name, _written(one.annotation), "needed" if one.default is one.empty else code(one.default))
        for name, one in inspect.signature(function).parameters.items()
        if name in remarks
    ]
    return _table("argument", rows, remarks)


def _table(what: str, told: Iterable[tuple[str, str, str]], remarks: Mapping[str, str]) -> str:
    rows = [(code(name), code(kind), rest, plain(remarks.get(name, ""))) for name, kind, rest in told]
    heads = (what, "type", "if left out", "what it is")
    kept = [place for place in range(len(heads)) if any(row[place] for row in rows)]
    return table([heads[place] for place in kept], [[row[place] for place in kept] for row in rows])


def parts_of(cls: type[BaseModel]) -> list[type[BaseModel]]:
    """The records that a record is made of, each once and in the order of its fields."""
    found: dict[type[BaseModel], None] = {}
    for field in cls.model_fields.values():
        for one in _models(field.annotation):
            found[one] = None
            found.update(dict.fromkeys(parts_of(one)))
    return list(found)


def member_comments(cls: type[Enum]) -> dict[str, str]:
    """What is said behind the members of an enum, by their values."""
    remarks = _own_comments(cls)
    return {str(one.value): remarks[one.name] for one in cls}


def _models(annotation: Any) -> Iterator[type[BaseModel]]:
    if inspect.isclass(annotation) and issubclass(annotation, BaseModel):
        yield annotation
    for inner in getattr(annotation, "__args__", ()):
        yield from _models(inner)


def _fields(cls: type[Any]) -> Iterator[tuple[str, str, str]]:
    if dataclasses.is_dataclass(cls):
        for one in dataclasses.fields(cls):
            yield one.name, _written(one.type), ""  # what is written out has them all
        return
    for name, field in cls.model_fields.items():
        default = "needed" if field.is_required() else code(field.get_default(call_default_factory=True))
        yield field.serialization_alias or name, _written(field.annotation), default


def _written(annotation: Any) -> str:
    """A type as one would write it, without modules and limits."""
    text = inspect.formatannotation(annotation).replace(inspect.formatannotation(Json), "JSON")
    text = re.sub(r"Annotated\[([\w.\[\], ]+?), [^\]]*\]", r"\1", _NOISE.sub("", text))
    return text.replace("NoneType", "None")


def _comments(cls: type[Any]) -> dict[str, str]:
    """What is said behind fields, those of the classes above included."""
    found: dict[str, str] = {}
    for one in reversed([each for each in cls.__mro__ if each.__module__.startswith("affordance")]):
        found |= _own_comments(one)
    for name, field in getattr(cls, "model_fields", {}).items():
        if field.serialization_alias is not None and name in found:
            found[field.serialization_alias] = found[name]
    return found


def _own_comments(cls: Any) -> dict[str, str]:
    source = textwrap.dedent(inspect.getsource(cls))
    lines = source.splitlines()
    found = {}
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT and (named := _FIELD.match(lines[token.start[0] - 1])):
            found[named[1]] = token.string.lstrip("# ")
    return found
