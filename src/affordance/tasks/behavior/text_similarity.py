"""How near an explanation's words are to an expert's rationale: BLEU-2, BLEU-4, ROUGE-L, METEOR and BERTScore.

They compare wording, not reasoning: an explanation is many times as long as a rationale, so all are low, and they are
reported beside the judge's accuracies only. The paper does not state its tokens; ours are in `signature`.

METEOR and BERTScore need data that is downloaded apart. They are computed where it is asked for, and never fetch.
"""

import importlib
import importlib.util
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

from affordance.core.errors import UserError

BERTSCORE_MODEL = "FacebookAI/roberta-large"
BERTSCORE_LAYER = (
    17  # bert-score's own choice for this model; it does not recognise the model from the name of a folder
)

TextPair = tuple[str, str]  # an explanation and a rationale
Wordnet = Any  # nltk's reader

_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class TextScores:
    """Each from 0 to 1; None is one that was not asked for."""

    bleu_2: float
    bleu_4: float
    rouge_l: float
    meteor: float | None = None
    bertscore: float | None = None


def text_scores(pairs: Sequence[TextPair], *, meteor: bool = False, weights: Path | None = None) -> list[TextScores]:
    """The scores of each explanation against one rationale, in the order given. `weights` is the folder of the model
    for BERTScore, which is left out without one. Raises UserError, before computing any, when something is missing."""
    messages = unavailable_scores(meteor=meteor, weights=weights)
    if messages:
        raise UserError("; ".join(messages.values()))
    wordnet = _wordnet() if meteor else None
    similar = _bertscores(pairs, weights) if weights is not None and pairs else [None] * len(pairs)
    return [
        TextScores(
            bleu(explanation, rationale, order=2),
            bleu(explanation, rationale, order=4),
            rouge_l(explanation, rationale),
            meteor_score(explanation, rationale, wordnet) if meteor else None,
            score,
        )
        for (explanation, rationale), score in zip(pairs, similar, strict=True)
    ]


def mean_scores(scores: Sequence[TextScores]) -> Mapping[str, float | None]:
    """The mean of each over rationales; None where it was not computed for all."""
    means: dict[str, float | None] = {}
    for field in fields(TextScores):
        values = [value for value in (getattr(score, field.name) for score in scores) if value is not None]
        means[field.name] = sum(values) / len(values) if values and len(values) == len(scores) else None
    return means


def unavailable_scores(*, meteor: bool = True, weights: Path | None = None) -> Mapping[str, str]:
    """For each of the two optional scores that is asked for and cannot be computed here: the reason, and the command
    that puts it right."""
    messages: dict[str, str] = {}
    if meteor:
        if importlib.util.find_spec("nltk") is None:
            messages["meteor"] = "METEOR needs nltk: pip install 'affordance[meteor]'"
        elif _wordnet() is None:
            messages["meteor"] = "METEOR needs the WordNet data: python -m nltk.downloader wordnet"
    if weights is not None:
        if importlib.util.find_spec("bert_score") is None:
            messages["bertscore"] = "BERTScore needs bert-score: pip install 'affordance[bertscore]'"
        elif not (weights / "config.json").is_file():
            messages["bertscore"] = (
                f"BERTScore needs the weights of {BERTSCORE_MODEL}, found no config.json in {weights}: "
                f"hf download {BERTSCORE_MODEL} --local-dir {weights}"
            )
    return messages


def signature() -> str:
    """What a reader needs to compute the same numbers."""
    return (
        f"sacrebleu {version('sacrebleu')}: BLEU of sentences, tokens 13a, lower case, exponential smoothing, "
        f"effective order; rouge-score {version('rouge-score')}: F-measure of ROUGE-L, words of letters and digits in "
        f"lower case, not stemmed; METEOR of nltk on the same words; BERTScore: F1 of {BERTSCORE_MODEL}, layer "
        f"{BERTSCORE_LAYER}, not rescaled"
    )


def words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


def bleu(explanation: str, rationale: str, order: int) -> float:
    """Of one sentence: smoothed, and over the orders of n-grams that a short text can have."""
    return float(_bleu(order)(explanation, [rationale]).score) / 100


def rouge_l(explanation: str, rationale: str) -> float:
    return float(_rouge()(rationale, explanation)["rougeL"].fmeasure)


def meteor_score(explanation: str, rationale: str, wordnet: Wordnet) -> float:
    """`wordnet` gives the synonyms."""
    score = importlib.import_module("nltk.translate.meteor_score").single_meteor_score
    return float(score(words(rationale), words(explanation), wordnet=wordnet))


def _bertscores(pairs: Sequence[TextPair], weights: Path) -> list[float]:
    """In one go: loading the model takes longest."""
    explanations, rationales = (list(texts) for texts in zip(*pairs, strict=True))
    score = importlib.import_module("bert_score").score
    _, _, f1 = score(explanations, rationales, model_type=str(weights), num_layers=BERTSCORE_LAYER)
    return [float(value) for value in f1]


def _wordnet() -> Wordnet | None:
    """None where its data is not on this machine."""
    wordnet = importlib.import_module("nltk.corpus").wordnet
    try:
        wordnet.ensure_loaded()
    except LookupError:
        return None
    return wordnet


@cache
def _bleu(order: int) -> Callable[[str, list[str]], Any]:
    metric = importlib.import_module("sacrebleu.metrics.bleu").BLEU
    score: Callable[[str, list[str]], Any] = metric(
        lowercase=True, max_ngram_order=order, effective_order=True
    ).sentence_score
    return score


@cache
def _rouge() -> Callable[[str, str], Any]:
    scorer = importlib.import_module("rouge_score.rouge_scorer").RougeScorer
    score: Callable[[str, str], Any] = scorer(["rougeL"], tokenizer=_WordTokenizer()).score
    return score


class _WordTokenizer:
    """The form in which rouge-score takes a tokenizer. Its own one breaks words at letters such as ä."""

    def tokenize(self, text: str) -> list[str]:
        return words(text)
