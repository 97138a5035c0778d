"""A report by its link: to anybody, in a sandbox, and no word of a report by any other address."""

from starlette.testclient import TestClient

from core.annotation.studies import Study
from core.people import TERMINAL, Role
from db.findings import report_links
from db.people import people
from tests.routes.client import browser, known_as

PAGE = "<h1>What is known of “bleu”</h1>"


def test_whoever_has_it_reads_the_report(study: Study, client: TestClient) -> None:
    link = report_links.share(TERMINAL, study.id, "bleu", PAGE)
    for encoding, packed in (("gzip, br", "gzip"), ("identity", None)):
        answer = client.get(link.address, headers={"Accept-Encoding": encoding})
        assert (answer.status_code, answer.text) == (200, PAGE)
        assert answer.headers.get("content-encoding") == packed
        assert answer.headers["content-type"] == "text/html; charset=utf-8"
        rules = answer.headers["content-security-policy"].split("; ")
        assert {"sandbox allow-scripts allow-downloads", "default-src 'none'", "frame-ancestors 'none'"} <= set(rules)
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["x-robots-tag"] == "noindex"
        assert "set-cookie" not in answer.headers
    assert client.head(link.address).status_code == 200
    assert client.post(link.address).status_code == 405


def test_an_annotator_who_has_it_reads_it_too(study: Study, client: TestClient) -> None:
    link = report_links.share(TERMINAL, study.id, "bleu", PAGE)
    known_as(client, people.invite(TERMINAL, Role.ANNOTATOR, study_id=study.id))
    assert client.get(link.address).text == PAGE


def test_any_other_address_says_what_to_do(study: Study, client: TestClient) -> None:
    link = report_links.share(TERMINAL, study.id, "bleu", PAGE)
    report_links.end(TERMINAL, study.id, link.id)
    other = link.address.replace(link.token, "x")
    for address in (link.address, link.address[:-1], f"{link.address}/", other, "/shared/", "/shared/a/b"):
        answer = client.get(address)
        assert answer.status_code == 404, address
        assert "This link shows no report" in answer.text
        assert "Ask whoever sent it for another one." in answer.text
        assert study.name not in answer.text


def test_who_tries_too_many_waits(study: Study) -> None:
    link = report_links.share(TERMINAL, study.id, "bleu", PAGE)
    client = browser("192.0.2.9")
    for number in range(20):
        assert client.get(f"/shared/{link.id}-{number}").status_code == 404
    answer = client.get(link.address)
    assert answer.status_code == 429
    assert int(answer.headers["retry-after"]) > 0
    assert browser("192.0.2.10").get(link.address).status_code == 200
