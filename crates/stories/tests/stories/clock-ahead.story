# A clock that is ten years ahead for an hour has no lasting effect: memories it expired are restored, memories on the cliff get a
# new seven days, and maintenance does not wait until the wrong date.
day 0: remember "수첩을 책상에 두었다" as notebook
day 0: remember "열쇠를 화분 밑에 두었다" tier M365 as key
day 0: remember "낡은 우산을 버렸다" tier M90 as umbrella
day 0: forget umbrella
day 1 10:00: clock ahead 3650 days
day 1: tick
day 1: expect notebook on cliff because expired
day 1: expect umbrella on cliff because manual
day 1 11:00: clock right
day 2: expect notebook in M30
day 2: expect key in M365
day 2: expect umbrella on cliff because manual
day 6: expect umbrella on cliff
day 10: expect umbrella gone
day 10: expect no bytes "낡은 우산"
day 29 23:00: expect notebook in M30
day 30: expect notebook on cliff because expired
day 38: expect notebook gone
day 38: expect no bytes "수첩"
day 38: expect key alive
day 38: expect ledger whole
