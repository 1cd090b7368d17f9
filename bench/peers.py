"""The peers. Each is opened, filled, queried and counted the same way, as its own documentation shows.

Package versions are pinned. A peer's libraries are imported when it is opened, because each peer has its own
environment. Vectors are computed in advance and looked up, so no measured time includes an embedder.
"""

import os
import time
from pathlib import Path

from made import DIMENSIONS, importance

USER = "minsu"
NUMPY = "numpy==2.4.6"


class Peer:
    """Interface of a peer, and its description for the report."""

    title: str
    packages: list[str]
    # What its recall searches: words, vectors or both.
    looks_at: str
    # Remark for the report.
    note = ""
    # Whether it has a rebalance operation.
    rebalances = False

    def __init__(self, folder: Path, vectors: dict):
        """Opens the data in the folder, or creates it."""
        raise NotImplementedError

    def store(self, number: int, text: str) -> None:
        raise NotImplementedError

    def fill(self, texts: list[str], patience: float) -> int:
        """Stores the memories needed before the measurement; returns how many were stored within `patience` seconds."""
        start = time.perf_counter()
        for number, text in enumerate(texts):
            if time.perf_counter() - start > patience:
                return number
            self.store(number, text)
        return len(texts)

    def recall(self, question: str, limit: int) -> list[str]:
        """Returns the texts found, best first."""
        raise NotImplementedError

    def rebalance(self) -> int:
        """Rebalances all memories; returns how many moved."""
        raise NotImplementedError

    def count(self) -> int:
        """Returns the number of stored memories."""
        raise NotImplementedError

    def close(self) -> None:
        pass


class Stellar(Peer):
    title = "stellar-memory 3.0.0"
    packages = ["stellar-memory==3.0.0", NUMPY]
    looks_at = "words"
    note = "as it comes: no embedder. Its recall also writes: it counts every memory it returns as recalled."
    rebalances = True

    def __init__(self, folder, vectors):
        from stellar_memory import StellarConfig, StellarMemory

        # Without this, its own timer would rebalance during a measurement.
        self.memory = StellarMemory(StellarConfig(db_path=str(folder / "stellar.db"), auto_start_scheduler=False))

    def store(self, number, text):
        self.memory.store(text, importance=importance(text))

    def recall(self, question, limit):
        return [item.content for item in self.memory.recall(question, limit=limit)]

    def rebalance(self):
        return self.memory.reorbit().moved

    def count(self):
        return self.memory.stats().total_memories

    def close(self):
        self.memory.stop()


class Celestial(Peer):
    title = "celestial 2.0.0, words"
    packages = ["stellar-memory==2.0.0", NUMPY]
    looks_at = "words"
    note = "inside stellar-memory 2.0.0. Its recall also writes: it counts every memory it returns as recalled."
    rebalances = True
    embeds = False

    def __init__(self, folder, vectors):
        from celestial_engine import CelestialMemory

        ready = {text: vector.tolist() for text, vector in vectors.items()} if self.embeds else None
        # Without this, its own timer would rebalance during a measurement.
        self.memory = CelestialMemory(
            db_path=str(folder / "celestial.db"), rebalance_interval=10**6, embed_fn=ready.__getitem__ if ready else None
        )

    def store(self, number, text):
        self.memory.store(text, importance=importance(text))

    def recall(self, question, limit):
        return [item.content for item in self.memory.recall(question, limit=limit)]

    def rebalance(self):
        return self.memory.rebalance().moved

    def count(self):
        return self.memory.stats()["total"]

    def close(self):
        self.memory.close()


class CelestialVectors(Celestial):
    title = "celestial 2.0.0, vectors"
    looks_at = "vectors"
    note = "the same with an `embed_fn`."
    rebalances = False
    embeds = True


class Mem0(Peer):
    title = "mem0 2.2.1, infer=False"
    packages = ["mem0ai==2.2.1", "qdrant-client==1.20.0", NUMPY]
    looks_at = "vectors"
    note = (
        "its store and ranker without the language model, on local Qdrant (its default) with the vectors on disk; "
        "its keyword part needs files from a hub and is off; telemetry off; threshold 0."
    )

    def __init__(self, folder, vectors):
        os.environ["MEM0_TELEMETRY"] = "False"
        os.environ["MEM0_DIR"] = str(folder)
        from mem0 import Memory

        unused = {"api_key": "none"}
        self.memory = Memory.from_config({
            "history_db_path": str(folder / "history.db"),
            "vector_store": {
                "provider": "qdrant",
                "config": {
                    "collection_name": "memories", "embedding_model_dims": DIMENSIONS,
                    "path": str(folder / "qdrant"), "on_disk": True,
                },
            },
            "llm": {"provider": "openai", "config": unused},
            "embedder": {"provider": "openai", "config": unused},
        })
        self.memory.embedding_model = Ready(vectors)

    def store(self, number, text):
        self.memory.add(text, user_id=USER, infer=False)

    def recall(self, question, limit):
        found = self.memory.search(question, filters={"user_id": USER}, top_k=limit, threshold=0.0)
        return [item["memory"] for item in found["results"]]

    def count(self):
        return len(self.memory.get_all(filters={"user_id": USER}, top_k=10**6)["results"])


class Ready:
    """An embedder with mem0's interface that looks up precomputed vectors."""

    def __init__(self, vectors):
        self.vectors = {text: vector.tolist() for text, vector in vectors.items()}

    def embed(self, text, memory_action=None):
        return self.vectors[text]

    def embed_batch(self, texts, memory_action=None):
        return [self.vectors[text] for text in texts]


class LangGraph(Peer):
    title = "LangGraph 1.2.20 InMemoryStore"
    packages = ["langgraph==1.2.20", NUMPY]
    looks_at = "vectors"
    note = "its in-process store: nothing is written to disk, by design."

    def __init__(self, folder, vectors):
        from langgraph.store.memory import InMemoryStore

        ready = {text: vector.tolist() for text, vector in vectors.items()}
        self.memory = InMemoryStore(
            index={"dims": DIMENSIONS, "embed": lambda texts: [ready[text] for text in texts], "fields": ["text"]}
        )

    def store(self, number, text):
        self.memory.put((USER,), str(number), {"text": text})

    def recall(self, question, limit):
        return [item.value["text"] for item in self.memory.search((USER,), query=question, limit=limit)]

    def count(self):
        return len(self.memory.search((USER,), limit=10**6))


class Chroma(Peer):
    title = "Chroma 1.5.9"
    packages = ["chromadb==1.5.9", NUMPY]
    looks_at = "vectors"
    note = "`PersistentClient`, cosine, vectors given. Its index is approximate."

    def __init__(self, folder, vectors):
        import chromadb

        self.vectors = vectors
        client = chromadb.PersistentClient(str(folder / "chroma"), chromadb.Settings(anonymized_telemetry=False))
        self.memories = client.get_or_create_collection(
            "memories", configuration={"hnsw": {"space": "cosine"}}, embedding_function=None
        )

    def store(self, number, text):
        self.memories.add(ids=[str(number)], documents=[text], embeddings=[self.vectors[text]])

    def fill(self, texts, patience):
        for start in range(0, len(texts), 500):
            batch = texts[start : start + 500]
            self.memories.add(
                ids=[str(start + number) for number in range(len(batch))],
                documents=batch, embeddings=[self.vectors[text] for text in batch],
            )
        return len(texts)

    def recall(self, question, limit):
        return self.memories.query(query_embeddings=[self.vectors[question]], n_results=limit)["documents"][0]

    def count(self):
        return self.memories.count()


class SqliteVec(Peer):
    title = "sqlite-vec 0.1.9, plain"
    packages = ["sqlite-vec==0.1.9", "pysqlite3-binary==0.5.4.post2", NUMPY]
    looks_at = "vectors"
    note = "a table of texts and a `vec0` table, one transaction a memory, WAL, synchronous=FULL; brute force."

    def __init__(self, folder, vectors):
        import sqlite3

        import sqlite_vec

        # Many builds of Python's own sqlite3 cannot load extensions.
        if not hasattr(sqlite3.Connection, "enable_load_extension"):
            import pysqlite3 as sqlite3

        self.bytes = {text: vector.tobytes() for text, vector in vectors.items()}
        self.file = sqlite3.connect(folder / "plain.db", isolation_level=None)
        self.file.enable_load_extension(True)
        sqlite_vec.load(self.file)
        self.file.execute("PRAGMA journal_mode = WAL")
        self.file.execute("PRAGMA synchronous = FULL")
        self.file.execute("CREATE TABLE IF NOT EXISTS memory (key INTEGER PRIMARY KEY, content TEXT NOT NULL)")
        self.file.execute(
            "CREATE VIRTUAL TABLE IF NOT EXISTS vectors "
            f"USING vec0 (embedding float[{DIMENSIONS}] distance_metric=cosine)"
        )

    def store(self, number, text):
        self.file.execute("BEGIN IMMEDIATE")
        self.file.execute("INSERT INTO memory VALUES (?, ?)", (number, text))
        self.file.execute("INSERT INTO vectors (rowid, embedding) VALUES (?, ?)", (number, self.bytes[text]))
        self.file.execute("COMMIT")

    def recall(self, question, limit):
        rows = self.file.execute(
            "SELECT memory.content FROM vectors JOIN memory ON memory.key = vectors.rowid "
            "WHERE vectors.embedding MATCH ? AND k = ? ORDER BY vectors.distance",
            (self.bytes[question], limit),
        )
        return [content for (content,) in rows]

    def count(self):
        return self.file.execute("SELECT count(*) FROM memory JOIN vectors ON vectors.rowid = memory.key").fetchone()[0]

    def close(self):
        self.file.close()


class Exact(Peer):
    title = "exact scan (numpy)"
    packages = [NUMPY]
    looks_at = "vectors"
    note = "a matrix in memory and one product: the limit for an exact search, not a store."

    def __init__(self, folder, vectors):
        import numpy

        self.numpy = numpy
        self.vectors = vectors
        self.texts = []
        self.matrix = numpy.zeros((max(1, len(vectors)), DIMENSIONS), dtype=numpy.float32)

    def store(self, number, text):
        self.matrix[len(self.texts)] = self.vectors[text]
        self.texts.append(text)

    def recall(self, question, limit):
        nearness = self.matrix[: len(self.texts)] @ self.vectors[question]
        near = self.numpy.argpartition(nearness, -limit)[-limit:]
        return [self.texts[row] for row in near[self.numpy.argsort(-nearness[near])]]

    def count(self):
        return len(self.texts)


PEERS = {
    "sqlite-vec": SqliteVec,
    "stellar": Stellar,
    "celestial": Celestial,
    "celestial-vectors": CelestialVectors,
    "mem0": Mem0,
    "langgraph": LangGraph,
    "chroma": Chroma,
    "exact": Exact,
}
QUICK = ["sqlite-vec", "celestial", "exact"]
