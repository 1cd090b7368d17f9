# Manual forgetting: the same seven days on the cliff, and no bytes left afterwards.
day 0: remember "은퇴한 곡예사가 이층에 산다" tier M365 as acrobat
day 0: remember "빨간 우체통 옆에 열쇠를 묻었다" tier M365 as key
day 30: forget acrobat
day 30: forget key
day 30: expect acrobat on cliff because manual
day 30: expect recall "곡예사" finds nothing
day 36: restore acrobat
day 36: expect acrobat in M365
day 36: expect recall "곡예사" finds acrobat
day 37 08:59: expect key on cliff because manual
day 38: expect key gone
day 38: expect no bytes "우체통"
day 38: expect acrobat alive
day 38: expect ledger whole
