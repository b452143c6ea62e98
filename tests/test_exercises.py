"""Every exercise keeps every rule of the audit: what `judge.py check` says, a topic at a time."""

import pytest

from practice.audit.audit import audit
from practice.catalog.find import Catalog
from practice.catalog.topic import TOPICS, topic_of
from tests.conftest import ROOT

FOLDERS = Catalog(ROOT).folders


def test_every_number_belongs_to_a_topic():
    assert [number for number in FOLDERS if not topic_of(number)] == []


@pytest.mark.slow
@pytest.mark.parametrize("topic", [topic for topic in TOPICS if any(number in TOPICS[topic] for number in FOLDERS)])
def test_exercises_keep_their_own_rules(topic):
    folders = [folder for number, folder in FOLDERS.items() if topic_of(number) == topic]
    report = audit(ROOT, folders, workers=1)
    found = [f"{finding.exercise}/{finding.file} {finding.key}: {finding.message}" for finding in report.faults]
    assert found == []
    assert report.submissions >= 5 * len(folders)
