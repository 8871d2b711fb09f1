"""Regions of a screen that may look alike: by what is written of how they look, or by their pixels."""

import asyncio
from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from affordance.author.groups.clusters import complete_link
from affordance.author.groups.drafts import Draft, Family
from affordance.author.groups.region_verdicts import MOST
from affordance.author.groups.vectors import similarity, vectors
from affordance.author.hearing import hear, plays
from affordance.author.screens.pixels import pixels_of
from affordance.author.state import ScreenState
from affordance.author.tools import Tools
from affordance.evaluation.ad_hoc import EMBEDDER, AdHocQuestion
from affordance.grounding.look_alikes import crop_similarity, descriptor, look_alike_groups
from affordance.models.embeddings import read_embedding

TASK = "author/group"
BUILT_IN = "built-in"
THRESHOLD = 60  # of cosine * 100, for embeddings
BUILT_IN_THRESHOLD = 26  # for the built-in vectors, whose numbers are lower: hardly two that do not look alike reach it
FEWEST_WORDS = 8  # what has fewer is a name, as that of a part of a page, and says nothing of looks


async def alike_regions(tools: Tools, screen: ScreenState, family: Family) -> tuple[list[Draft], list[str]]:
    """Sets of two or more regions that seem alike, none inside another, in the order of the tree; and notes. Where
    there are no descriptions to compare, looks are."""
    nodes = eligible(tools, screen)
    told = [node for node in nodes if len(screen.description(node).split()) >= FEWEST_WORDS]
    by_words, notes = await _by_words(tools, screen, family, told)
    by_looks = await asyncio.to_thread(_by_looks, screen, [node for node in nodes if node not in set(told)])
    drafts = sorted((*by_words, *by_looks), key=lambda draft: [family.place(node) for node in draft.members])
    return drafts, notes


def eligible(tools: Tools, screen: ScreenState) -> list[str]:
    """Regions that may be members of groups. With the setting `only=corrected`, as published, those that a person has
    drawn and that were told anew since."""
    only = tools.settings.get("only") == "corrected"
    nodes = [node for node in screen.usable() if screen.regions[node].box.clip(*screen.size) is not None]
    return [node for node in nodes if not only or (node in screen.corrected and _told_anew(screen, node))]


def _told_anew(screen: ScreenState, node: str) -> bool:
    retelling = screen.retellings.get(node)
    return retelling is not None and retelling.box == screen.regions[node].box


async def _by_words(
    tools: Tools, screen: ScreenState, family: Family, nodes: Sequence[str]
) -> tuple[list[Draft], list[str]]:
    texts = {node: screen.description(node) for node in nodes}
    if len(texts) < 2:
        return [], []
    if plays(tools, EMBEDDER) and tools.settings.get("vectors") != BUILT_IN:
        found, notes = await _embedded(tools, screen, texts)
        least, how = THRESHOLD, f"embeddings of {tools.asking.model_name(EMBEDDER)}"
        texts = {node: texts[node] for node in found}
        matrix = np.stack(list(found.values())) if found else np.zeros((0, 1), np.float32)
    else:
        matrix, notes = await asyncio.to_thread(vectors, list(texts.values())), []
        least, how = BUILT_IN_THRESHOLD, "built-in vectors"
    return await asyncio.to_thread(_clustered, list(texts), matrix, least, how, family), notes


def _clustered(nodes: Sequence[str], matrix: NDArray[np.float32], least: int, how: str, family: Family) -> list[Draft]:
    alike = similarity(matrix)
    place = {node: index for index, node in enumerate(nodes)}
    relatives = [
        (i, j) for i, one in enumerate(nodes) for j, other in enumerate(nodes[:i]) if family.related(one, other)
    ]

    def pair(one: str, other: str) -> float:
        return float(alike[place[one], place[other]])

    drafts = []
    for indices in complete_link(alike, least, relatives):
        lowest = min(int(alike[i, j]) for i in indices for j in indices if i != j)
        said = f"descriptions are alike by {lowest} of 100 or more"
        members = tuple(nodes[index] for index in indices)
        drafts.append(Draft(members, pair, said, history=(f"found by {how}: {', '.join(members)}",)))
    return drafts


async def _embedded(
    tools: Tools, screen: ScreenState, texts: dict[str, str]
) -> tuple[dict[str, NDArray[np.float32]], list[str]]:
    """Unit vectors of the descriptions, by region. One that no vector can be had of is told and left out."""
    inquiries = [
        AdHocQuestion(TASK, screen.id, {"about": "vector", "text": text}, (text,), read_embedding)
        for text in texts.values()
    ]
    said = dict(zip(texts, await hear(tools, inquiries, EMBEDDER), strict=True))
    found = {node: one.value for node, one in said.items() if one.value is not None}
    notes = [
        f"{node}: its description has no embedding: {one.reason}" for node, one in said.items() if one.value is None
    ]
    lengths = Counter(len(vector) for vector in found.values())
    if len(lengths) > 1:
        usual = lengths.most_common(1)[0][0]
        notes += [
            f"{node}: its embedding has {len(vector)} numbers, others have {usual}"
            for node, vector in found.items()
            if len(vector) != usual
        ]
        found = {node: vector for node, vector in found.items() if len(vector) == usual}
    return {node: vector / max(float(np.linalg.norm(vector)), 1e-12) for node, vector in found.items()}, notes


def _by_looks(screen: ScreenState, nodes: Sequence[str]) -> list[Draft]:
    if len(nodes) < 2:
        return []
    image = pixels_of(screen)
    boxes = {node: screen.regions[node].box for node in nodes}
    groups = look_alike_groups([(node, _kind(screen, node), box) for node, box in boxes.items()], image)
    # How alike two are is only asked of sets that must be cut to size.
    looks = {node: descriptor(image, boxes[node]) for group in groups if len(group) > MOST for node in group}

    def pair(one: str, other: str) -> float:
        return crop_similarity(looks[one], looks[other])

    said = "of one kind and about one size, and look alike"
    return [Draft(group, pair, said, history=(f"found by their looks: {', '.join(group)}",)) for group in groups]


def _kind(screen: ScreenState, node: str) -> str:
    typed = screen.types.get(node)
    return screen.regions[node].type if typed is None else typed.type
