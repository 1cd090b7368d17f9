# The process is down over a Monday that would have promoted memories which expire before it starts again.
day 0: remember "할머니 댁 감나무에 올라갔다" emotions joy,nostalgia intensity 0.9 as tree
day 1: remember "버스에서 졸았다" as bus
day 2: sleep until day 33
day 33: expect same as awake
day 33: expect "감나무" in M90
day 33: expect tree on cliff because expired
day 33: expect bus on cliff because expired
day 39 12:00: restore bus
day 39: expect bus in M30
day 41: expect tree gone
day 41: expect ledger whole
