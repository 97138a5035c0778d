"""The key is in the surroundings alone."""

import pytest

from core.errors import InputError
from core.judges.backends.key import KEY, judge_key


def test_it_goes_where_it_is_encrypted_or_stays_on_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY, " sk-1 \n")
    assert judge_key("https://api.example.org/v1") == "sk-1"
    assert judge_key("http://localhost:8000/v1") == "sk-1"
    assert judge_key("http://127.0.0.1:8000/v1") == "sk-1"
    assert judge_key("http://gpu.example.org:8000/v1") == ""
    monkeypatch.delenv(KEY)
    assert judge_key("https://api.example.org/v1") == ""


@pytest.mark.parametrize("key", ["two words", "naïve", "tab\there"])
def test_what_cannot_be_a_key_is_not_repeated(monkeypatch: pytest.MonkeyPatch, key: str) -> None:
    monkeypatch.setenv(KEY, key)
    with pytest.raises(InputError, match=KEY) as caught:
        judge_key("https://api.example.org/v1")
    assert key not in str(caught.value)
