"""Worlds that cost nothing to reset: rows of a database are copied when a tool first takes them, not before."""

import os
import pickle
from copy import deepcopy

from tau2.utils.utils import DATA_DIR, get_dict_hash


def domain():
    """The one domain of the data folder; where it holds several, the one that TAU2_DOMAIN names."""
    names = [os.environ["TAU2_DOMAIN"]] if "TAU2_DOMAIN" in os.environ else sorted(p.name for p in (DATA_DIR / "tau2/domains").iterdir())
    if len(names) != 1:
        raise SystemExit(f"{DATA_DIR} holds {', '.join(names)}: set TAU2_DOMAIN to one of them")
    return names[0]


class Table(dict):
    """One table of a database. Rows nobody took are shared with the database it was made from, and with all its copies.

    Iteration hands out the shared rows: upstream's tools only read there. Whoever relies on it checks the hash of the
    first database afterwards.
    """

    def __init__(self, rows):
        super().__init__(rows)
        self.taken = set()

    def __getitem__(self, key):
        if key not in self.taken:
            self[key] = deepcopy(super().__getitem__(key))
        return super().__getitem__(key)

    def __setitem__(self, key, row):
        self.taken.add(key)
        super().__setitem__(key, row)

    def get(self, key, default=None):
        return self[key] if key in self else default


def keyed(db):
    """Whether all tables of a database are dicts."""
    return all(isinstance(rows, dict) for _, rows in db)


def fresh(db):
    """A database with the content of db, for the price of a shallow dict per table; a copy where tables are lists."""
    if not keyed(db):
        return pickle.loads(pickle.dumps(db))
    return type(db).model_construct(**{name: Table(rows) for name, rows in db})


def difference(db, start):
    """How db, made by fresh(start), differs from start: each other row's hash by table and key, None where it is gone.

    Upstream hashes a database as JSON with sorted keys, so two databases from one start have one hash if and only if
    their differences are equal.
    """
    if not keyed(db):
        return db.get_hash()
    found = {}
    for name, rows in db:
        before = getattr(start, name)
        for key in rows.taken & rows.keys():
            digest = row_hash(rows[key])
            if key not in before or digest != row_hash(before[key]):
                found[name, key] = digest
        found.update(((name, key), None) for key in before.keys() - rows.keys())
    return found


def row_hash(row):
    return get_dict_hash(row.model_dump())
