# Memories that only share a word are not a topic, and neither are different referents of the same word: a house and a series, a
# lesson and a person, a mother and a mother-in-law, the user's cat and the neighbour's.
day 0: remember "cleaned the house" as one
day 0: remember "수영 강습 첫날이었어" as one
day 0: remember "my cat threw up" as one
day 0: remember "mom called about the lamp" as one
day 0: remember "혈압약 먹어야돼" as one
day 0: remember "wanna learn to surf" as one
day 1: remember "watched house md reruns" as one
day 1: remember "수영이 생일이라 떡을 맞췄어" as one
day 1: remember "neighbor's cat got in our yard" as one
day 1: remember "my mother in law hates the sofa" as one
day 1: remember "비타민 먹어야돼" as one
day 1: remember "wanna eat tacos" as one
day 2: remember "my friends bought a house in ohio" emotions joy intensity 0.9 as strong
day 2: remember "수영이가 유학간대" emotions joy intensity 0.9 as strong
day 2: remember "the neighbours' cat is fat" as one
day 2: remember "mother-in-law bought a van" as one
day 2: remember "칼슘 먹어야돼" as one
day 2: remember "wanna sit by the sea" as one
day 9: expect no essence of one
