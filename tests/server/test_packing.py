"""In which form a body travels: what a visitor asks for, and nothing that he cannot read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.packing import Body, Form, asked_for, in_form, packed, unpacked

GZIP, BROTLI = Form.GZIP, Form.BROTLI
TEXT = b"<tr><td>12</td><td>Ann Other</td></tr>" * 200


@pytest.mark.parametrize(
    ("accepts", "form"),
    [
        ("", None),
        ("identity", None),
        ("gzip", GZIP),
        ("GZip", GZIP),
        ("x-gzip", GZIP),
        ("deflate", None),
        ("zstd", None),
        ("br", BROTLI),
        ("gzip, deflate, br, zstd", BROTLI),  # as browsers ask over https
        ("gzip, deflate", GZIP),  # and over plain http
        ("br;q=0.5, gzip;q=1.0", GZIP),
        ("br;q=0.5, gzip;q=0.5", BROTLI),
        ("br;q=0, gzip", GZIP),
        ("br;q=0, gzip;q=0", None),
        ("br; q=0.000,gzip ;q=0.3", GZIP),
        ("gzip;q=0, br", BROTLI),
        ("*", GZIP),
        ("*;q=0", None),
        ("gzip;q=0, *", None),
        ("br;q=0, *;q=0.2", GZIP),
        ("identity;q=1, br;q=0.5", None),
        ("identity;q=0, br;q=0.5", BROTLI),
        ("br;q=much, gzip", GZIP),
        ("br;q=2", None),
        ("br;q=-1", None),
        ("br;q=nan", None),
        ("gzip;level=9", None),
        ("brown, gzippo", None),
        (";;;,,=", None),
    ],
)
def test_what_is_asked_for(accepts: str, form: Form | None) -> None:
    assert asked_for(accepts) is form


@pytest.mark.slow
@given(st.text(max_size=60))
def test_nonsense_is_answered_in_the_clear_or_in_a_form_it_names(accepts: str) -> None:
    form = asked_for(accepts)
    names = {GZIP: ("gzip", "*"), BROTLI: ("br",), None: ("",)}[form]
    assert any(name in accepts.lower() for name in names)


@given(st.binary(max_size=2000), st.sampled_from(Form), st.sampled_from([None, *Form]))
def test_a_body_is_the_same_in_every_form(
    content: bytes, kept: Form, wanted: Form | None
) -> None:
    body = packed(200, content, kept)
    given = in_form(body, wanted)
    assert unpacked(given) == content
    assert given.form is (wanted or kept)
    assert (given is body) == (wanted in (None, kept))


def test_brotli_leaves_less_than_gzip() -> None:
    assert len(packed(200, TEXT, BROTLI).packed) < len(packed(200, TEXT, GZIP).packed)
    assert packed(204, b"", BROTLI) == Body(204, b"", BROTLI)
    assert packed(200, TEXT, None).form is GZIP
