"""Languages recognised by their common words."""

# ruff: noqa: E501 - sentences are read best on a line each.

from __future__ import annotations

import pytest

from orrery.core.data.languages import languages_of
from orrery.core.data.stop_words import LANGUAGES

SENTENCES = {
    "german": "Der Hund ist in dem Garten und spielt mit einem Ball, aber die Katze schläft nicht.",
    "french": "Le chien est dans le jardin et il joue avec un ballon, mais le chat ne dort pas parce qu'il a faim.",
    "spanish": "El perro está en el jardín y juega con una pelota, pero el gato no duerme porque tiene hambre.",
    "italian": "Il cane è nel giardino e gioca con una palla, ma il gatto non dorme perché ha fame.",
    "portuguese": "O cão está no jardim e brinca com uma bola, mas o gato não dorme porque tem fome.",
    "dutch": "De hond is in de tuin en speelt met een bal, maar de kat slaapt niet omdat zij honger heeft.",
    "swedish": "Hunden är i trädgården och leker med en boll, men katten sover inte för att den är hungrig.",
    "danish": "Hunden er i haven og leger med en bold, men katten sover ikke, fordi den er sulten.",
    "norwegian": "Hunden er i hagen og leker med en ball, men katten sover ikke fordi den er sulten. Jeg har aldri sett noe slikt før.",
    "finnish": "Koira on puutarhassa ja leikkii pallolla, mutta kissa ei nuku, koska sillä on nälkä.",
    "polish": "Pies jest w ogrodzie i bawi się piłką, ale kot nie śpi, ponieważ jest głodny.",
    "czech": "Pes je na zahradě a hraje si s míčem, ale kočka nespí, protože má hlad.",
    "slovak": "Pes je v záhrade a hrá sa s loptou, ale mačka nespí, pretože je hladná.",
    "russian": "Собака находится в саду и играет с мячом, но кошка не спит, потому что она голодна.",
    "hungarian": "A kutya a kertben van és egy labdával játszik, de a macska nem alszik, mert éhes.",
    "romanian": "Câinele este în grădină și se joacă cu o minge, dar pisica nu doarme pentru că îi este foame.",
    "turkish": "Köpek bahçede ve bir topla oynuyor, ama kedi uyumuyor çünkü o çok aç ve bu nedenle bekliyor.",
    "catalan": "El gos és al jardí i juga amb una pilota, però el gat no dorm perquè té gana.",
    "indonesian": "Anjing itu ada di kebun dan bermain dengan bola, tetapi kucing tidak tidur karena lapar.",
    "croatian": "Pas je u vrtu i igra se s loptom, ali mačka ne spava jer je gladna.",
    "slovenian": "Pes je na vrtu in se igra z žogo, vendar mačka ne spi, ker je lačna.",
    "bulgarian": "Кучето е в градината и играе с топка, но котката не спи, защото е гладна.",
    "greek": "Ο σκύλος είναι στον κήπο και παίζει με μια μπάλα, αλλά η γάτα δεν κοιμάται γιατί πεινάει.",
    "hebrew": "הכלב נמצא בגן והוא משחק עם כדור, אבל החתול לא ישן כי הוא רעב.",
    "arabic": "الكلب في الحديقة ويلعب مع الكرة، لكن القطة لا تنام لأنها جائعة على كل حال.",
    "hindi": "कुत्ता बगीचे में है और गेंद से खेल रहा है, लेकिन बिल्ली सो नहीं रही है।",
    "persian": "سگ در باغ است و با توپ بازی می‌کند، اما گربه نمی‌خوابد چون که گرسنه است.",
    "english": "The dog is in the garden and plays with a ball, but the cat does not sleep because it is hungry.",
}


def test_there_is_a_sentence_of_every_language() -> None:
    assert set(SENTENCES) == set(LANGUAGES)


@pytest.mark.parametrize("language", SENTENCES)
def test_a_sentence_shows_its_language(language: str) -> None:
    assert languages_of([SENTENCES[language]] * 3) == (language,)


def test_two_languages_are_both_found_the_more_frequent_first() -> None:
    texts = [SENTENCES["german"]] * 20 + [SENTENCES["english"]] * 30 + [SENTENCES["dutch"]] * 2
    assert languages_of(texts) == ("english", "german")


@pytest.mark.parametrize(
    "texts", [[], [""], ["moon"], ["moon " * 50] * 10, ["www zyzzyva quux xyzzy"], ["12 34 56"]]
)
def test_texts_without_common_words_are_in_no_language(texts: list[str]) -> None:
    assert languages_of(texts) == ()


def test_of_many_texts_some_are_looked_at_evenly() -> None:
    texts = [SENTENCES["german"]] * 5_000 + [SENTENCES["french"]] * 5_000
    assert set(languages_of(texts)) == {"german", "french"}
