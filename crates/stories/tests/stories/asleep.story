# After three weeks of downtime the mind is the same as without it; only the cliff period starts at the restart.
day 0: remember "동네 카페에서 라떼를 마셨어" as cafe
day 1: remember "퇴근하고 동네 카페에 들렀어" as cafe
day 2: remember "카페에서 라떼 마시면서 책을 읽었어" as cafe
day 2: remember "우산을 잃어버렸다" as umbrella
day 3: remember "첫 조카가 태어났다" emotions joy intensity 0.9 as birth
day 3: remember "큰언니 전화번호는 끝이 8842다" tier M90 as sister
day 3: use sister 5 times
day 5: expect count M90 = 3
day 14: sleep until day 35
day 35: expect same as awake
day 35: expect essence of sister in M365
# The memory moves to the cliff at the restart and has seven days from then on.
day 35: expect umbrella on cliff because expired
day 41 23:00: expect umbrella on cliff
day 43: expect umbrella gone
day 43: expect same as awake
day 43: expect ledger whole
