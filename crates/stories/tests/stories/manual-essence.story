# Forgetting a memory also forgets an essence that contains nothing else; restoring the memory restores both.
day 0: remember "은퇴한 곡예사가 이층에 산다" as acrobat
day 0: use acrobat 3 times
day 0: remember "Grandma hid the recipe in the piano bench" emotions joy intensity 0.9 as recipe
day 4: expect essence of acrobat in M90 because recalled as upstairs
day 4: expect essence of recipe in M90 because moved as bench
day 5: forget acrobat
day 5: expect upstairs on cliff because manual
day 5: expect recall "곡예사" finds nothing
day 6: restore acrobat
day 6: expect acrobat in M30
day 6: expect upstairs in M90
# Recall returns the essence, so forgetting the essence also forgets its original.
day 7: forget bench
day 7: expect recipe on cliff because manual
day 7: expect recall "where did grandma hide the recipe?" finds nothing
day 8: restore recipe
day 8: expect bench in M90
# The essence of a topic stays when one of its memories is forgotten.
day 10: remember "수영장에서 자유형을 연습했어" as swim
day 11: remember "아침 일찍 수영장에 다녀왔어" as swim
day 12: remember "수영장 물이 차가웠어" as cold
day 18: expect essence of swim cold in M90 because repeated as pool
day 18: forget cold
day 18: expect pool in M90
