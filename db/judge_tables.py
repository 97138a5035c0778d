"""The tables of judges: what they are told, what they replied, what they say of pairs, and what was rated to measure
their biases.
"""

from sqlalchemy import JSON, Column, Float, Integer, String, Table, Text, UniqueConstraint

from db.columns import UtcDateTime, belongs_to, id_column, metadata

judge_template = Table(  # of a judge's prompt; a version never changes
    "judge_template",
    metadata,
    id_column(),
    belongs_to("study", index=False),
    Column("name", String(60), nullable=False),
    Column("version", Integer, nullable=False),
    Column("way", String(20), nullable=False),
    Column("parts", JSON, nullable=False),  # see core/judges/template.py
    Column("created_at", UtcDateTime, nullable=False),
    UniqueConstraint("study_id", "name", "version"),
)

judge_reply = Table(  # what a judge said, so that it is asked, and paid, once
    "judge_reply",
    metadata,
    id_column(),
    Column("key", String(200), nullable=False, unique=True),
    *(Column(name, Text, nullable=False) for name in ("model", "text", "problem")),
    Column("request_hash", String(64), nullable=False),
    Column("content_hash", String(64), nullable=False, index=True),  # of the story that was judged
    Column("against_hash", String(64), nullable=False, server_default=""),  # of the one that it was compared with
    Column("probabilities", JSON),
    *(Column(name, Integer, nullable=False) for name in ("prompt_tokens", "reply_tokens")),
    Column("at", UtcDateTime, nullable=False),
)

pair_verdict = Table(  # what a judge says of two stories, whose contents stand in order
    "pair_verdict",
    metadata,
    id_column(),
    belongs_to("signature", index=False),
    Column("first_hash", String(64), nullable=False),
    Column("second_hash", String(64), nullable=False),
    Column("forward", Integer),  # the first shown first: -1 it is better, 0 both are equal, 1 the second is
    Column("backward", Integer),  # the second shown first
    Column("reason", Text, nullable=False),
    UniqueConstraint("signature_id", "first_hash", "second_hash"),
)

judge_probe = Table(  # a rating of a bias run beside that of the story as it is: see core/analysis/judges/probes.py
    "judge_probe",
    metadata,
    id_column(),
    belongs_to("story", index=False),
    belongs_to("signature"),
    Column("check", String(20), nullable=False),
    Column("variant", String(60), nullable=False),
    Column("before", Float),
    Column("after", Float),
    Column("reason", Text, nullable=False),
    UniqueConstraint("story_id", "signature_id", "check", "variant"),
)
