"""`compare` as a user runs it."""

from pathlib import Path

import pytest

from tests.terminal import as_json, bad, good


@pytest.fixture
def study(home: Path, shared: Path) -> Path:
    good("import", "union", str(shared / "union-roc"), "--study", "roc", home=home)
    return home


def test_union_roc_compares_its_ten_metrics(study: Path) -> None:
    found = as_json("compare", "--study", "roc", "--permutations", "1000", "--seed", "3", home=study)
    assert (found["study"], found["n"], found["seed"], found["permutations"]) == ("roc", 400, 3, 1000)
    assert (len(found["signatures"]), len(found["rows"])) == (10, 45)
    first = found["rows"][0]
    assert (first["a"], first["b"], first["n"], first["undefined"]) == ("union", "union_recon", 400, None)
    assert first["difference"] == pytest.approx(0.3687 - 0.3101, abs=1e-4)
    assert first["low"] < first["difference"] < first["high"]
    assert first["williams_p"] == pytest.approx(0.1535, abs=1e-4)
    assert abs(first["permutation_p"] - first["williams_p"]) < 0.1
    assert first["p_holm"] == 1
    assert first["linearised"] is False
    for row in found["rows"]:
        assert row["signatures"] == [found["signatures"][row["a"]], found["signatures"][row["b"]]]
    for one in found["ranking"]:
        assert one["signature"] == found["signatures"][one["metric"]]
    flat = [metric for cluster in found["clusters"] for metric in cluster]
    assert flat == [one["metric"] for one in found["ranking"]]
    assert flat[0] == "union"
    said = good(
        "compare", "--study", "roc", "--metric", "union", "--metric", "bleu", "--coefficient", "kendall", home=study
    )
    assert "Cluster 1: union" in said
    assert "Cluster 2: bleu" in said
    assert "Signatures" in said
    few = good("compare", "--study", "roc", "--permutations", "500", home=study)
    assert "With fewer than 5,000 permutations" in few
    assert "--permutations 5000" in few
    assert "choose pearson, spearman, kendall" in bad("compare", "--study", "roc", "--coefficient", "r", home=study)
    assert "needs two" in bad("compare", "--study", "roc", "--metric", "union", home=study)
