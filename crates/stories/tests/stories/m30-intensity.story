# M30 to M90: an intensity above 0.7; 0.7 itself is not enough.
day 0: remember "첫 조카가 태어났다" emotions joy intensity 0.71 as birth
day 0: remember "축구를 이겼다" emotions joy intensity 0.7 as match
day 4: expect essence of birth in M90 because moved
day 4: expect no essence of match
day 38: expect match gone
day 38: expect "조카" in M90
