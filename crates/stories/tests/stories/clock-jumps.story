# A clock that runs ten years ahead, is corrected, and falls ten years behind purges nothing early.
day 0: remember "잊으면 안 되는 일" as must
day 0: remember "외할머니의 손맛" tier M0 as core
day 1: clock ahead 3650 days
day 1: tick
day 1: expect must on cliff because expired
day 2: clock right
day 3: expect must in M30
day 4: clock behind 3650 days
day 4: tick
day 5: expect must alive
day 6: clock right
day 7: expect must alive
day 7: expect core in M0
# Once the clock is correct again, terms run normally.
day 30: expect must on cliff because expired
day 36: expect must on cliff
day 38: expect must gone
day 38: expect core in M0
day 38: expect ledger whole
