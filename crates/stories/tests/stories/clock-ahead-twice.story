# The clock jumps ten years ahead twice; the correct clock is recognized both times.
day 0: remember "수첩을 책상에 두었다" as notebook
day 0: remember "열쇠를 화분 밑에 두었다" tier M365 as key
day 1 10:00: clock ahead 3650 days
day 1: tick
day 1 11:00: clock right
day 2: expect notebook in M30
day 3 10:00: clock ahead 3650 days
day 3: tick
day 3 11:00: clock right
day 4: expect notebook in M30
day 4 10:00: clock behind 20000 days
day 4: tick
day 4 11:00: clock right
day 29 23:00: expect notebook in M30
day 30: expect notebook on cliff because expired
day 38: expect notebook gone
day 38: expect no bytes "수첩"
day 38: expect key in M365
day 38: expect ledger whole
