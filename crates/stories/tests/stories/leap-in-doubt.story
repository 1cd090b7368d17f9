# A clock that jumped ten years may be corrected later: nothing is purged by it, however often maintenance runs.
day 0: remember "Umbrella left on the tram" as umbrella
day 0: remember "The year the lighthouse was painted" tier M365 as lighthouse
day 0: forget umbrella
day 1: clock ahead 3650 days
day 1: tick
day 1: clock ahead 3660 days
day 1: tick
day 1: clock ahead 3690 days
day 1: tick
day 1: clock right
day 1: tick
day 1: expect lighthouse in M365
day 1: expect umbrella on cliff because manual
day 1: restore umbrella
day 1: expect umbrella in M30
day 1: expect ledger whole
