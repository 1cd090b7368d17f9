# A death is stored, however often the person was mentioned before.
day 0: remember "엄마랑 통화했어"
day 1: remember "엄마한테 반찬을 받았어"
day 2: remember "엄마랑 시장에 갔어"
day 2: remember "Called grandpa, we talked about the garden"
day 2: remember "Grandpa sent me a jar of plum jam"
day 2: remember "Went to the market with grandpa"
day 3: user "어젯밤에 엄마가 돌아가셨어. 믿을 수가 없어, 너무 슬퍼"
day 3: user "Grandpa died last night. I'm devastated"
day 4: expect "돌아가셨" alive
day 4: expect "died" alive
