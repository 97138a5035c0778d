"""`compare` as a user runs it."""

from pathlib import Path

import pytest

from tests.terminal import as_json, bad, good


@pytest.fixture
def study(home: Path, shared: Path) -> Path:
    good("import", "union", str(shared / "union-roc"), "--study", "roc", home=home)
    return home


def test_union_roc_compares_its_ten_metrics(study: Path) -> None:
    result = as_json("compare", "--study", "roc", "--permutations", "1000", "--seed", "3", home=study)
    assert (result["study"], result["n"], result["seed"], result["permutations"]) == ("roc", 400, 3, 1000)
    assert (len(result["signatures"]), len(result["rows"])) == (10, 45)
    first = result["rows"][0]
    assert (first["a"], first["b"], first["n"], first["undefined"]) == ("union", "union_recon", 400, None)
    assert first["difference"] == pytest.approx(0.3687 - 0.3101, abs=1e-4)
    assert first["low"] < first["difference"] < first["high"]
    assert first["williams_p"] == pytest.approx(0.1535, abs=1e-4)
    assert abs(first["permutation_p"] - first["williams_p"]) < 0.1
    assert first["p_holm"] == 1
    assert first["linearised"] is False
    for row in result["rows"]:
        assert row["signatures"] == [result["signatures"][row["a"]], result["signatures"][row["b"]]]
    for item in result["ranking"]:
        assert item["signature"] == result["signatures"][item["metric"]]
    flat = [metric for cluster in result["clusters"] for metric in cluster]
    assert flat == [entry["metric"] for entry in result["ranking"]]
    assert flat[0] == "union"
    sentence = good(
        "compare", "--study", "roc", "--metric", "union", "--metric", "bleu", "--coefficient", "kendall", home=study
    )
    assert "Cluster 1: union" in sentence
    assert "Cluster 2: bleu" in sentence
    assert "Signatures" in sentence
    few = good("compare", "--study", "roc", "--permutations", "500", home=study)
    assert "With fewer than 5,000 permutations" in few
    assert "--permutations 5000" in few
    assert "choose pearson, spearman, kendall" in bad("compare", "--study", "roc", "--coefficient", "r", home=study)
    assert "needs two" in bad("compare", "--study", "roc", "--metric", "union", home=study)
