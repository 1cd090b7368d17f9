"""Chooses the pieces of the reader's vocabulary: those that frequent Korean and English words and the training messages use."""
from wordfreq import get_frequency_dict

# Words of the frequency lists that are cut into pieces. The Korean list has 30,000 words in all.
FREQUENT = {"en": 30_000, "ko": 30_000}


def chosen(image, texts):
    """Returns the ids of the kept pieces in ascending order. Single characters stay, so that every text can still be split."""
    kept = {image.bos, image.eos, image.pad, image.unknown}
    for language, count in FREQUENT.items():
        frequency = get_frequency_dict(language, "best")
        for word in sorted(frequency, key=lambda word: (-frequency[word], word))[:count]:
            kept.update(image.tokenize(word)[0])
            kept.update(image.tokenize(word.capitalize())[0])
    for text in texts:
        kept.update(image.tokenize(text)[0])
    for name, number in image.piece_ids.items():
        if len(name) == 1 and is_used(name):
            kept.add(number)
    return sorted(kept)


def is_used(letter):
    """Whether a character occurs in Korean or English messages: ASCII, Hangul, punctuation and symbols."""
    code = ord(letter)
    return code < 0x180 or 0x2000 <= code < 0x2C00 or 0x3000 <= code < 0x3040 or 0x3130 <= code < 0x3190 or 0xAC00 <= code < 0xD7A4 or code >= 0x1F000
