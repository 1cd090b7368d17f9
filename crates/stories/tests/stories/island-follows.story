# An island stays founded on the essence of its founding memories after they expire.
start 2026-01-03T09:00:00Z
day 0: remember "할머니 부엌에서 들은 이야기들이 나를 키웠다" tier M90 as kitchen
day 1: island "할머니의 부엌" on kitchen
day 29: expect essence of kitchen in M365 because island as year
day 92: expect kitchen on cliff because expired
day 105: expect kitchen gone
day 130: expect year in M365
