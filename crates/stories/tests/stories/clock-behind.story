# A clock that falls ten years behind and is corrected.
day 0: remember "수첩을 책상에 두었다" as notebook
day 0: remember "낡은 우산을 버렸다" tier M90 as umbrella
day 0: forget umbrella
day 1 10:00: clock behind 3650 days
day 1: tick
day 1: expect notebook alive
day 1: expect umbrella on cliff because manual
day 2: expect umbrella on cliff
day 3: clock right
day 4: expect notebook in M30
day 6: expect umbrella on cliff because manual
day 12: expect umbrella gone
day 12: expect no bytes "낡은 우산"
day 30: expect notebook on cliff because expired
day 38: expect notebook gone
day 38: expect ledger whole
