"""Word-by-word scores of explanations against rationales: by hand, as properties, and what is said when data lacks."""

import importlib.util
import math
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import nltk.corpus
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nltk.corpus.reader.wordnet import WordNetCorpusReader
from nltk.corpus.util import LazyCorpusLoader

from affordance.core.errors import UserError
from affordance.tasks.behavior import text_similarity as texts
from affordance.tasks.behavior.text_similarity import TextScores, mean_scores, text_scores, unavailable_scores, words
from errors import raises


class NoSynonyms:
    """A WordNet without words, so that METEOR compares words and their stems only."""

    def synsets(self, word: str) -> list[object]:
        return []


WORDS = {
    "case and punctuation": ("The button, BIGGER: yes!", ["the", "button", "bigger", "yes"]),
    "letters of other languages": ("Law of Prägnanz", ["law", "of", "prägnanz"]),
    "digits and joined words": ("2 call-to-action_links", ["2", "call", "to", "action", "links"]),
    "nothing": (" … ", []),
}


@pytest.mark.parametrize(("text", "expected"), WORDS.values(), ids=[name.replace(" ", "-") for name in WORDS])
def test_words(text: str, expected: list[str]) -> None:
    assert words(text) == expected


# Explanation, rationale; BLEU-2, BLEU-4, ROUGE-L.
BY_HAND = {
    "the same": ("the red button stands out", "The red button stands out", 1.0, 1.0, 1.0),
    "nothing in common": ("fewer form fields", "the red button", 0.0, 0.0, 0.0),
    "an empty explanation": ("", "the red button", 0.0, 0.0, 0.0),
    "an empty rationale": ("the red button", "", 0.0, 0.0, 0.0),
    # Of 6 words 3 are found, of 5 couples 2, of 4 triples 1, and none of 3 fours, which smoothing makes 1/2 of 3.
    # The longest common subsequence has 3 words of 6 and of 3.
    "a rationale within a longer explanation": (
        "the red button catches the eye",
        "the red button",
        math.sqrt(3 / 6 * 2 / 5),
        (3 / 6 * 2 / 5 * 1 / 4 * 1 / 6) ** (1 / 4),
        2 * (3 / 6) * 1 / (3 / 6 + 1),
    ),
    # Two words cannot have triples; four words of rationale make the brevity exp(1 - 4/2).
    "shorter than the rationale": ("red button", "a red button wins", math.exp(-1), math.exp(-1), 2 / 3),
    "the same words in another order": ("button red", "red button", math.sqrt(1 / 2), math.sqrt(1 / 2), 1 / 2),
}


@pytest.mark.parametrize(
    ("explanation", "rationale", "bleu_2", "bleu_4", "rouge_l"),
    BY_HAND.values(),
    ids=[name.replace(" ", "-") for name in BY_HAND],
)
def test_by_hand(explanation: str, rationale: str, bleu_2: float, bleu_4: float, rouge_l: float) -> None:
    (found,) = text_scores([(explanation, rationale)])
    assert (found.bleu_2, found.bleu_4, found.rouge_l) == (
        pytest.approx(bleu_2),
        pytest.approx(bleu_4),
        pytest.approx(rouge_l),
    )
    assert found.meteor is found.bertscore is None


# One run of matching words costs 0.5 * (1 / matches) ** 3; precision counts for a tenth of recall.
METEOR = {
    "the same": ("red button wins", "Red button wins", 1 - 0.5 / 27),
    "a stem": ("red buttons", "red button", 1 - 0.5 / 8),
    "nothing in common": ("fewer fields", "red button", 0.0),
    "empty": ("", "red button", 0.0),
    "within a longer one": ("the red button catches", "red button", 0.5 / (0.9 * 0.5 + 0.1) * (1 - 0.5 / 8)),
}


@pytest.mark.parametrize(("explanation", "rationale", "expected"), METEOR.values(), ids=METEOR.keys())
def test_meteor_without_synonyms(explanation: str, rationale: str, expected: float) -> None:
    assert texts.meteor_score(explanation, rationale, NoSynonyms()) == pytest.approx(expected)


COPYRIGHT = "  1 WordNet 3.0 Copyright \n"  # by which nltk knows the version


@pytest.fixture
def wordnet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder that nltk looks for data in, with a WordNet in which two adjectives are synonyms."""
    folder = tmp_path / "corpora" / "wordnet"
    folder.mkdir(parents=True)
    for part in ("adj", "adv", "noun", "verb"):
        for name in (f"index.{part}", f"{part}.exc"):
            (folder / name).touch()
        (folder / f"data.{part}").write_text(COPYRIGHT)
    at = f"{len(COPYRIGHT):08}"
    (folder / "index.adj").write_text("".join(f"{word} a 1 0 1 0 {at}  \n" for word in ("big", "great")))
    (folder / "data.adj").write_text(f"{COPYRIGHT}{at} 00 a 02 great 0 big 0 000 | large  \n")
    (folder / "lexnames").write_text("00\tadj.all\t3\n")
    for name in ("index.sense", "cntlist.rev"):
        (folder / name).touch()
    monkeypatch.setattr(nltk.data, "path", [str(tmp_path)])
    loader = LazyCorpusLoader("wordnet", WordNetCorpusReader, LazyCorpusLoader("omw-1.4", WordNetCorpusReader))
    monkeypatch.setattr(nltk.corpus, "wordnet", loader)
    yield folder
    for stream in vars(loader).get("_data_file_map", {}).values():  # nltk leaves them open
        stream.close()


@pytest.mark.usefixtures("wordnet")
def test_meteor_knows_synonyms() -> None:
    assert unavailable_scores() == {}
    (found, other) = text_scores(
        [("a big picture", "a great picture"), ("a red picture", "a big picture")], meteor=True
    )
    assert found.meteor == pytest.approx(1 - 0.5 / 27)
    assert other.meteor == pytest.approx(1 / 3), "two of three words, in two runs"


vocabulary = st.sampled_from(["the", "red", "button", "is", "large", "and", "clear"])
sentences = st.lists(vocabulary, max_size=12).map(" ".join)


@settings(max_examples=40)
@given(st.lists(st.tuples(sentences, sentences), max_size=4))
def test_scores_are_from_0_to_1_and_belong_to_their_couple(couples: list[tuple[str, str]]) -> None:
    found = text_scores(couples)
    assert found == [text_scores([couple])[0] for couple in couples]
    for score in found:
        assert all(0 <= value <= 1 + 1e-9 for value in (score.bleu_2, score.bleu_4, score.rouge_l))


def test_means() -> None:
    found = mean_scores([TextScores(0.2, 0.1, 0.5, 0.4), TextScores(0.4, 0.3, 0.7, None)])
    assert found == pytest.approx({"bleu_2": 0.3, "bleu_4": 0.2, "rouge_l": 0.6, "meteor": None, "bertscore": None})
    assert set(mean_scores([]).values()) == {None}


def test_meteor_without_its_data_ends_with_the_command(wordnet: Path) -> None:
    wordnet.rename(wordnet.with_name("elsewhere"))
    assert set(unavailable_scores()) == {"meteor"}
    with raises(UserError, "METEOR", "python -m nltk.downloader wordnet"):
        text_scores([("a", "a")], meteor=True)


def test_bertscore_without_package_or_weights_ends_with_the_command(tmp_path: Path) -> None:
    command = f"hf download FacebookAI/roberta-large --local-dir {tmp_path}"
    if importlib.util.find_spec("bert_score") is None:
        command = "pip install 'affordance[bertscore]'"
    with raises(UserError, "BERTScore", command):
        text_scores([("a", "a")], weights=tmp_path)


def test_what_is_not_asked_for_is_not_missing() -> None:
    assert unavailable_scores(meteor=False) == {}


def test_the_signature_names_versions() -> None:
    assert "sacrebleu 2." in texts.signature()
    assert "rouge-score 0." in texts.signature()


def test_the_libraries_are_loaded_when_needed_only() -> None:
    code = (
        "import sys, affordance.tasks.behavior.text_similarity\n"
        "print([name for name in ('sacrebleu', 'rouge_score', 'nltk', 'bert_score') if name in sys.modules])"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"
