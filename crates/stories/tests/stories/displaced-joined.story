# Two mentions of one event are merged into one memory; the originals go to the cliff and can be restored.
policy thinning.budget_share = 1.0
day 22: remember "어제 민지랑 한강에서 자전거를 탔다" tier M90 as first
day 22: remember "민지랑 한강에서 자전거를 탔다" tier M90 as second
day 22: chat 12
day 23: expect count cliff = 0
day 30: chat 12
day 30 12:00: expect first on cliff because displaced
day 30: expect second on cliff because displaced
day 30: expect "한강에서 자전거" in M90
day 30: expect essence of first second in M90
day 36: restore first
day 36: expect first in M90
day 38: expect second gone
day 38: expect first alive
day 38: expect ledger whole
