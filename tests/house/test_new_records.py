"""A new paper, export or movement takes one record; every page and command then offers it."""

from collections.abc import Iterator
from dataclasses import MISSING, fields, replace

import pytest
from django.core.management import call_command
from django.test import Client

import boards.batches
import exchange.formats
import scoring.papers
import scoring.services
import tournaments.services
from exchange.formats import BoardFileFormat, DownloadPage
from printing.kinds import OutdatingChanges, PaperGroup, PaperKind, ShownCards, TableRequirement
from scoring.models import Paper
from scoring.papers import tray_labels
from scoring.papers.outdated_papers import list_needed_papers, list_outdated_kinds
from scoring.secrecy import can_print_paper
from scoring.session_snapshot import load_session_snapshot
from scoring.sheets import trays
from scoring.sheets.hall_papers import build_announcements
from tests import evenings
from tests.tournaments.movements import test_movements_page
from tournaments.models import Session
from tournaments.movements import SYSTEMS_BY_NAME, MovementSystem, build_named_movement
from tournaments.movements.advice.selection import list_cached_proposals
from tournaments.movements.systems.mitchell import MITCHELL_SYSTEM, build_mitchell

NAPKIN_PAPER = PaperKind(
    name="napkins",
    title="Napkins",
    blurb="One napkin a board, to write on.",
    group=PaperGroup.TABLES,
    build_sheet=trays.build_tray_labels,
    draw_pdf=tray_labels.draw_pdf,
    shown_cards=ShownCards.NONE,
    outdating_changes=OutdatingChanges.SEATS | OutdatingChanges.NAMES,
    table_requirement=TableRequirement(7),
)
SECRET_PAPER = replace(
    NAPKIN_PAPER, name="peeps", title="Peeps", shown_cards=ShownCards.ALL_HANDS
)
SMOKE_FORMAT = BoardFileFormat(
    name="smoke",
    title="SMOKE",
    media_type="text/x-smoke",
    extension="smk",
    has_cards=True,
    labels_by_page=dict.fromkeys(DownloadPage, "Save as smoke"),
    write_file=lambda seated: f"{len(seated.boards)} puffs".encode(),
)
CAROUSEL_MOVEMENT = replace(
    MITCHELL_SYSTEM,
    name="carousel",
    title="Carousel",
    alternative_systems=(),
    build_movement=lambda tables: replace(
        build_mitchell(tables), name="carousel", title="Carousel"
    ),
    list_announcements=lambda _movement: ["Everybody goes round."],
)


@pytest.fixture
def papers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Add two papers to the tuple."""
    monkeypatch.setattr(
        scoring.papers, "PAPER_KINDS", (*scoring.papers.PAPER_KINDS, NAPKIN_PAPER, SECRET_PAPER)
    )


@pytest.fixture
def smoke_format(monkeypatch: pytest.MonkeyPatch) -> None:
    """Add a format to the tuple."""
    monkeypatch.setattr(exchange.formats, "FORMATS", (*exchange.formats.FORMATS, SMOKE_FORMAT))


@pytest.fixture
def movement(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Add a movement to the catalogue that is not in the adviser's cache."""
    monkeypatch.setitem(SYSTEMS_BY_NAME, CAROUSEL_MOVEMENT.name, CAROUSEL_MOVEMENT)
    list_cached_proposals.cache_clear()
    yield
    list_cached_proposals.cache_clear()


@pytest.fixture
def dealt_session(client: Client) -> Session:
    """Create an event before play with dealt boards, and a client of its director."""
    session, user = evenings.seat_session()
    boards.batches.deal_missing_boards(
        tournaments.services.request_dealing(session=session, by=user)
    )
    session.refresh_from_db()
    client.force_login(user)
    return session


def read_page(client: Client, session: Session, name: str = "") -> str:
    return client.get(f"/director/events/{session.event.slug}/{name}").content.decode()


@pytest.mark.parametrize("record", [PaperKind, BoardFileFormat, MovementSystem])
def test_record_cannot_be_created_without_its_texts(record: type) -> None:
    assert record.__dataclass_params__.frozen
    assert all(field.kw_only for field in fields(record))
    required_fields = {field.name for field in fields(record) if field.default is MISSING}
    assert {"name", "title"} <= required_fields
    with pytest.raises(TypeError, match="title"):
        record(name="half a thing")


@pytest.mark.django_db
@pytest.mark.usefixtures("papers")
def test_paper_defined_by_one_record_is_ordered_made_and_marked_outdated(
    client: Client, dealt_session: Session, django_capture_on_commit_callbacks
) -> None:
    session, order_url = (
        dealt_session,
        f"/director/events/{dealt_session.event.slug}/papers/order/",
    )
    form = read_page(client, session, "papers/")
    assert 'id="kind-napkins">Napkins</span>' in form
    assert "One napkin a board, to write on." in form
    assert "napkins" in list_needed_papers(load_session_snapshot(session))
    with django_capture_on_commit_callbacks(execute=True):
        client.post(order_url, {"kind": "napkins", "size": "A4"})
    paper = Paper.objects.get(kind="napkins")
    assert paper.state == Paper.State.READY
    response = client.get(f"/director/papers/{paper.pk}/")
    assert b"".join(response.streaming_content).startswith(b"%PDF-")
    entry = session.event.entries.get(number=1)
    tournaments.services.rename_entry(entry=entry, names=["Uma Nu", "Vic Nu"], by=None)
    assert list_outdated_kinds(session) == ["napkins"]
    assert "a name has since changed" in read_page(client, session, "papers/")
    assert "print again: Napkins" in read_page(client, session)


@pytest.mark.django_db
@pytest.mark.usefixtures("papers")
def test_paper_whose_record_shows_cards_is_secret_before_the_close(
    client: Client, dealt_session: Session
) -> None:
    order = f"/director/events/{dealt_session.event.slug}/papers/order/"
    page_text = client.post(
        order, {"kind": "peeps", "size": "A4"}, follow=True
    ).content.decode()
    assert "Print it after the session is closed" in page_text
    assert not Paper.objects.filter(kind="peeps").exists()
    assert not can_print_paper(dealt_session, SECRET_PAPER)
    assert can_print_paper(dealt_session, NAPKIN_PAPER)


@pytest.mark.django_db
@pytest.mark.usefixtures("papers")
def test_paper_defined_by_one_record_is_made_on_command_line(
    dealt_session: Session, tmp_path
) -> None:
    call_command("event", "papers", dealt_session.event.slug, "--out", str(tmp_path))
    assert (tmp_path / "napkins.pdf").read_bytes().startswith(b"%PDF-")
    call_command(
        "event", "papers", dealt_session.event.slug, "--out", str(tmp_path), "--only", "peeps"
    )
    assert (tmp_path / "peeps.pdf").exists()


@pytest.mark.django_db
@pytest.mark.usefixtures("smoke_format")
def test_export_defined_by_one_record_is_offered_where_cards_are_public(
    client: Client, dealt_session: Session, tmp_path
) -> None:
    root_url, public = (
        f"/director/events/{dealt_session.event.slug}/",
        f"/events/{dealt_session.event.slug}/",
    )
    assert (
        '<button type="submit" name="kind" value="smoke">Save as smoke</button>'
        in read_page(client, dealt_session, "deals/")
    )
    response = client.post(f"{root_url}deals/file/", {"kind": "smoke"})
    assert (response.content, response.headers["Content-Type"]) == (b"6 puffs", "text/x-smoke")
    assert response.headers["Content-Disposition"].endswith('.smk"')
    rejected_response = client.post(f"{root_url}deals/file/", {"kind": "fog"}, follow=True)
    assert "Choose PBN or DUP or SMOKE." in rejected_response.content.decode()
    assert client.get(f"{public}hands/boards.smoke").status_code == 404
    call_command(
        *("event", "export", dealt_session.event.slug, "--format", "smoke"),
        *("--out", str(tmp_path / "tuesday.smk")),
    )
    assert (tmp_path / "tuesday.smk").read_bytes() == b"6 puffs"
    scoring.services.close_session(
        session=scoring.services.open_session(session=dealt_session, by=None), by=None
    )
    assert f'href="{public}hands/boards.smoke?session=1"' in read_page(
        client, dealt_session, "deals/"
    )
    assert "Save as smoke" in client.get(f"{public}hands/").content.decode()
    assert client.get(f"{public}hands/boards.smoke").content == b"6 puffs"


@pytest.mark.django_db
@pytest.mark.usefixtures("movement")
def test_movement_defined_by_one_record_is_suggested_chosen_and_announced(
    client: Client, capsys: pytest.CaptureFixture[str]
) -> None:
    session, user = evenings.seat_session(10)
    client.force_login(user)
    assert "Carousel" in client.get("/movements/").content.decode()
    assert "Carousel" in client.get("/movements/carousel/").content.decode()
    assert "Carousel" in read_page(client, session, "movement/")
    assert 'value="carousel"' in read_page(client, session, "movement/own/")
    call_command("movement", "carousel", "--tables", "5")
    assert "Everybody goes round." in capsys.readouterr().out
    call_command("movement", "--suggest", "--pairs", "10")
    assert "Carousel: 5 rounds" in capsys.readouterr().out
    tournaments.services.seat_section(
        session=session,
        movement=build_named_movement("carousel", pairs=10),
        boards_a_round=2,
        by=user,
    )
    (sheet,) = build_announcements(load_session_snapshot(session))
    assert "We’re playing Carousel, 5 tables." in sheet.paragraphs
    assert "Everybody goes round." in sheet.paragraphs


@pytest.mark.usefixtures("movement")
def test_movement_missing_from_the_movements_page_is_reported() -> None:
    with pytest.raises(AssertionError, match="carousel"):
        test_movements_page.test_every_system_has_a_row_on_movements_page()
