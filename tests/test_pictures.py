"""Pictures of the page for the docs."""

from PIL import Image

from tests.e2e.browser.pictures import FAR, OFTEN, few_colours

NEAR = 16
DOT = (95, 209, 154)


def test_a_small_thing_keeps_its_colour_beside_a_large_one_of_many() -> None:
    picture = Image.new("RGB", (256, 128))
    picture.putdata([(20 + x // 4, 60 + y, x // 2) for y in range(128) for x in range(256)])
    picture.putpixel((3, 3), DOT)
    kept = few_colours(picture)
    assert len(kept.getcolors() or []) <= OFTEN + FAR
    found = kept.convert("RGB").getpixel((3, 3))
    assert isinstance(found, tuple)
    assert max(abs(one - other) for one, other in zip(found, DOT, strict=True)) <= NEAR
