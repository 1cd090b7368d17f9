# The same for the monthly promotion, and for downtime over the end of a term: the essence gets the same term as without downtime.
start 2026-01-03T09:00:00Z
day 0: remember "Priya taught me to listen before I answer" tier M90 as listen
day 0: remember "장터에서 들은 판소리 한 대목" as song
day 0: remember "우산을 지하철에 두고 내렸다" as umbrella
day 29: use song 3 times
day 29: sleep until day 41
day 41: expect essence of song in M90 because recalled
day 41: expect umbrella on cliff because expired
day 41: expect same as awake
day 89: changed behaviour listen
day 90 10:00: expect essence of listen in M365 because changed_behaviour
day 90 10:00: expect listen on cliff because expired
