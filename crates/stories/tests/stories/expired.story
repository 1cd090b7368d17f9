# Expiry: thirty days, seven more on the cliff, and then no bytes are left.
day 0: remember "카나리아가 창가에서 노래했다" as canary
day 0: remember "등대지기가 초록 우산을 접었다" as keeper
day 0: expect count M30 = 2
day 29 23:59: expect canary in M30
day 30: expect canary on cliff because expired
day 30: expect keeper on cliff because expired
day 30: expect recall "카나리아" finds nothing
day 36: restore canary
day 36: expect canary in M30
day 36: expect recall "카나리아" finds canary
day 37 08:59: expect keeper on cliff
day 38: expect keeper gone
day 38: expect refused restore "등대지기"
day 38: expect no bytes "등대지기"
day 38: expect no bytes "초록 우산"
day 65: expect canary alive
day 66: expect canary on cliff because expired
day 73: expect canary gone
day 73: expect no bytes "카나리아"
day 73: expect ledger whole
