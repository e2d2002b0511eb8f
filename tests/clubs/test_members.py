"""Owners assign roles; a club always has an owner, and no login gets into another club."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import clubs.services
from clubs.models import Act, Club, Membership
from clubs.services.members import (
    PASSWORD_GROUP_COUNT,
    PASSWORD_GROUP_LENGTH,
    MembershipChangeRefused,
    derive_first_password,
)
from server.models import User
from tests import evenings

pytestmark = pytest.mark.django_db
FORM_KEY = "0123456789abcdef0123456789abcdef"


@pytest.fixture
def club_and_owner() -> tuple[Club, User]:
    return evenings.create_club_with_director()


def add_member(
    home: tuple[Club, User], login: str = "anna", role: str = "scorer", key: str = FORM_KEY
):
    return clubs.services.add_member(
        club=home[0], login=login, role=role, form_key=key, by=home[1]
    )


def test_new_login_has_a_working_password(club_and_owner) -> None:
    member, password = add_member(club_and_owner)
    assert (member.role, member.user.username) == ("scorer", "anna")
    assert User.objects.get(username="anna").check_password(password)
    act = Act.objects.get(action="member.added")
    act_fields = (act.by, act.about, act.where, act.after)
    assert act_fields == ("director", f"club:{act.club}", {"login": "anna"}, {"role": "scorer"})
    assert password not in f"{act.where}{act.before}{act.after}"


def test_form_sent_twice_creates_one_login_with_one_password(club_and_owner) -> None:
    assert add_member(club_and_owner)[1] == add_member(club_and_owner)[1]
    assert Membership.objects.filter(user__username="anna").count() == 1
    assert Act.objects.filter(action="member.added").count() == 1


def test_existing_sign_in_name_is_refused(club_and_owner) -> None:
    evenings.create_club_with_director("Other club", "other")
    add_member(club_and_owner)
    for login, key in (
        ("other", FORM_KEY),
        ("Other", FORM_KEY),
        ("anna", FORM_KEY[::-1]),
        ("director", FORM_KEY),
    ):
        with pytest.raises(MembershipChangeRefused, match="is taken"):
            add_member(club_and_owner, login, key=key)
    assert Membership.objects.filter(user__username="other").count() == 1


@pytest.mark.parametrize("login", ["", "  ", "anna pole", "x" * 151, "anna\n", "<b>", "\0"])
def test_invalid_login_name_is_refused(club_and_owner, login: str) -> None:
    user_count_before = User.objects.count()
    if login.strip() == "anna":
        assert add_member(club_and_owner, login)[0].user.username == "anna"
        return
    with pytest.raises(MembershipChangeRefused):
        add_member(club_and_owner, login)
    assert User.objects.count() == user_count_before


def test_invalid_role_and_a_form_without_a_key_are_refused(club_and_owner) -> None:
    with pytest.raises(MembershipChangeRefused, match="Choose owner"):
        add_member(club_and_owner, role="king")
    with pytest.raises(MembershipChangeRefused, match="Reload the page"):
        add_member(club_and_owner, key="")
    assert not User.objects.filter(username="anna").exists()


def test_last_owner_cannot_be_removed(club_and_owner) -> None:
    club, owner = club_and_owner
    only_owner = club.memberships.get(user=owner)
    with pytest.raises(MembershipChangeRefused, match="only owner"):
        clubs.services.change_role(member=only_owner, role="director", by=owner)
    with pytest.raises(MembershipChangeRefused, match="only owner"):
        clubs.services.remove_member(member=only_owner, by=owner)
    second, _password = add_member(club_and_owner, role="owner")
    clubs.services.change_role(member=only_owner, role="director", by=owner)
    assert list(club.memberships.filter(role="owner")) == [second]
    with pytest.raises(MembershipChangeRefused, match="only owner"):
        clubs.services.remove_member(member=second, by=owner)


def test_changing_a_role_twice_is_recorded_once(club_and_owner) -> None:
    member, _password = add_member(club_and_owner)
    for _click in range(2):
        clubs.services.change_role(member=member, role="director", by=club_and_owner[1])
    act = Act.objects.get(action="member.changed")
    assert (act.before, act.after) == ({"role": "scorer"}, {"role": "director"})


def test_removing_a_member_twice_is_recorded_once_and_the_member_can_return(
    club_and_owner,
) -> None:
    member, old = add_member(club_and_owner)
    for _click in range(2):
        clubs.services.remove_member(member=member, by=club_and_owner[1])
    assert Act.objects.filter(action="member.removed").count() == 1
    returned_member, new_password = add_member(club_and_owner, key=FORM_KEY[::-1])
    assert returned_member.user == member.user
    assert new_password != old
    assert not User.objects.get(username="anna").check_password(old)


def test_owner_resets_passwords_only_for_logins_of_the_club(club_and_owner) -> None:
    member, old = add_member(club_and_owner)
    new = clubs.services.reset_password(
        member=member, form_key=FORM_KEY[::-1], by=club_and_owner[1]
    )
    assert new == clubs.services.reset_password(
        member=member, form_key=FORM_KEY[::-1], by=club_and_owner[1]
    )
    assert new != old
    assert User.objects.get(username="anna").check_password(new)
    assert Act.objects.filter(action="member.password").count() == 1
    other, _user = evenings.create_club_with_director("Other club", "other")
    Membership.objects.create(club=other, user=member.user, role="scorer")
    with pytest.raises(MembershipChangeRefused, match="outside this club"):
        clubs.services.reset_password(member=member, form_key=FORM_KEY, by=club_and_owner[1])


def test_club_cannot_reset_the_password_of_a_superuser(club_and_owner) -> None:
    superuser = User.objects.create_superuser("chief", password="secret")
    member = Membership.objects.create(club=club_and_owner[0], user=superuser, role="director")
    with pytest.raises(MembershipChangeRefused, match="outside this club"):
        clubs.services.reset_password(member=member, form_key=FORM_KEY, by=club_and_owner[1])
    clubs.services.remove_member(member=member, by=club_and_owner[1])
    with pytest.raises(MembershipChangeRefused, match="is taken"):
        add_member(club_and_owner, "chief")


@given(st.text(alphabet="0123456789abcdef", min_size=32, max_size=32), st.text(max_size=20))
def test_first_passwords_are_easy_to_read_and_derived_from_the_form(
    key: str, login: str
) -> None:
    first_password = derive_first_password(login, key)
    assert first_password == derive_first_password(login, key)
    assert [len(piece) for piece in first_password.split("-")] == [
        PASSWORD_GROUP_LENGTH
    ] * PASSWORD_GROUP_COUNT
    assert not set(first_password) & set("ilo01")
