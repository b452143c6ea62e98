import pytest

from practice.catalog.find import Catalog
from practice.kernel.errors import BrokenExercise, NotFound

TOML = 'number = {number}\nslug = "{slug}"\ntitle = "{slug}"\ntopic = "estimation"\nlevel = "hard"\nminutes = 40\n'


@pytest.fixture
def catalog(tmp_path):
    for number, slug in ((180, "kv-bytes"), (184, "fleet-size"), (200, "kv-block-pool"), (201, "kv-cow-fork"), (640, "ratio")):
        folder = tmp_path / "exercises" / f"{number}-{slug}"
        folder.mkdir(parents=True)
        (folder / "exercise.toml").write_text(TOML.format(number=number, slug=slug))
    (tmp_path / "exercises" / "README.md").write_text("no exercise")
    return Catalog(tmp_path)


@pytest.mark.parametrize(
    "name",
    ["184", "0184", "fleet-size", "fleet", "f", "184-fleet-size", "184-fl", "FLEET", "exercises/184-fleet-size", "exercises/184-fleet-size/"]
    + ["./exercises/184-fleet-size/prompt.md", "answers/184.py", "184.py", "exercises\\184-fleet-size"],
)
def test_an_exercise_is_found_by_what_people_type(catalog, name):
    assert catalog.find(name).number == 184


def test_a_beginning_of_several_is_refused_with_their_names(catalog):
    with pytest.raises(NotFound) as caught:
        catalog.find("kv")
    assert caught.value.nearest == ("180-kv-bytes", "200-kv-block-pool", "201-kv-cow-fork")
    assert '"kv" is the beginning of 180-kv-bytes, 200-kv-block-pool and 201-kv-cow-fork' in str(caught.value)


@pytest.mark.parametrize(
    ("name", "nearest"),
    [("18", "180-kv-bytes"), ("185", "184-fleet-size"), ("fleetsize", "184-fleet-size"), ("block", "200-kv-block-pool"), ("rato", "640-ratio")],
)
def test_an_unknown_name_gets_the_nearest(catalog, name, nearest):
    with pytest.raises(NotFound) as caught:
        catalog.find(name)
    assert nearest in caught.value.nearest
    assert f'no exercise "{name}"' in str(caught.value)


@pytest.mark.parametrize("name", ["", " ", "/", "../..", "x" * 300, "\0", "-1", "²"])
def test_nonsense_is_not_found_and_no_crash(catalog, name):
    with pytest.raises(NotFound):
        catalog.find(name)


def test_all_is_by_number_and_skips_what_cannot_be_read(catalog):
    (catalog.folder / "300-broken").mkdir()
    (catalog.folder / "300-broken" / "exercise.toml").write_text("number = 300")
    catalog = Catalog(catalog.folder.parent)
    assert [entry.number for entry in catalog.all()] == [180, 184, 200, 201, 640]
    assert catalog.unreadable() == ["300-broken"]
    with pytest.raises(BrokenExercise, match="does not say its number, slug, title"):
        catalog.find("300")


def test_a_checkout_without_exercises_is_empty(tmp_path):
    assert Catalog(tmp_path).all() == []
    with pytest.raises(NotFound):
        Catalog(tmp_path).find("184")


def test_a_list_needs_no_more_than_the_keys_before_the_first_table(catalog):
    toml = catalog.folder / "184-fleet-size" / "exercise.toml"
    toml.write_text(TOML.format(number=184, slug="fleet-size") + "needs = [\n180,\n]\n\n[wrong.one]\nthis is not TOML\n")
    assert catalog.at(184).needs == (180,)


def test_a_bracket_at_the_start_of_a_line_need_not_begin_a_table(catalog):
    toml = catalog.folder / "184-fleet-size" / "exercise.toml"
    toml.write_text('sources = ["""\n[1] a paper"""]\n' + TOML.format(number=184, slug="fleet-size"))
    assert catalog.at(184).title == "fleet-size"


def test_the_exercises_of_a_topic_are_those_with_its_numbers(catalog):
    assert [entry.number for entry in catalog.of_topic("kv-cache")] == [200, 201]
    assert catalog.of_topic("moe") == []
