"""Anki itself imports each deck that the Broadcaster has made, learns some of it, and imports it again:
anki.py CHECKOUT FOLDER. 2.1.15 is the last Anki that is Python alone."""
import pathlib, sys, tempfile

checkout, folder = sys.argv[1:]
sys.path.insert(0, checkout)
from anki import Collection
from anki.importing.apkg import AnkiPackageImporter

decks = cards = 0
for file in sorted(pathlib.Path(folder).glob("*/Agent/Presentations/*.apkg")):
    col = Collection(tempfile.mkdtemp() + "/collection.anki2")

    def count():
        AnkiPackageImporter(col, str(file)).run()
        return col.noteCount(), col.cardCount()

    def schedule():
        return col.db.all("select id, type, queue, due, ivl, reps from cards order by id")

    first = count()
    for deck in col.decks.all():
        if deck["name"] != "Default":
            col.decks.select(deck["id"])
    col.reset()
    for _ in range(5):
        card = col.sched.getCard()
        if card:
            card.startTimer()
            col.sched.answerCard(card, 3)
            assert "<p class=source>" in card.a(), card.a()
    learnt = schedule()
    assert first[0] == first[1] > 0 and count() == first, f"{file}: {first} notes and cards, then {count()}"
    assert schedule() == learnt and any(row[5] for row in learnt), f"{file}: the schedule was lost"
    assert col.fixIntegrity()[1], f"{file}: the collection is damaged"
    decks, cards = decks + 1, cards + first[1]
    col.close(save=False)
assert decks
print(f"Anki: {decks} decks with {cards} cards imported twice, none is there twice, what was learnt is kept")
