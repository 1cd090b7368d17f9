# A clock that was ten years ahead for a day leaves no mind unattended afterwards.
day 0: remember "수첩을 책상에 두었다" as notebook
day 0: remember "낡은 우산을 버렸다" tier M90 as umbrella
day 0: forget umbrella
day 1: clock ahead 3650 days
day 1: tick
day 1: expect notebook on cliff because expired
day 1: clock right
day 1: restore notebook
day 2: expect notebook in M30
day 8: expect "우산" gone
day 31 08:59: expect notebook in M30
day 32: expect notebook on cliff because expired
day 40: expect notebook gone
day 40: expect no bytes "수첩"
