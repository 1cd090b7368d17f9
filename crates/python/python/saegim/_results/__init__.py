"""Result classes: one for each kind of answer."""
