# A repetition is skipped as known; the same event of another person is new; a life event is never skipped as expected.
day 0: user "남자친구랑 헤어졌어" assistant "ok" as parted
day 1: user "나 남자친구랑 헤어졌어" assistant "ok"
day 1: expect count alive = 1
day 2: user "My dog died last night" assistant "ok" as dog
day 3: user "My dog died last night" assistant "ok"
day 3: expect count alive = 2
day 4: user "아빠가 병원에 입원해서 너무 무섭고 불안해" assistant "ok"
day 5: user "엄마가 병원에 입원해서 너무 무섭고 불안해" assistant "ok"
day 6: expect "아빠가 병원에 입원" alive
day 6: expect "엄마가 병원에 입원" alive
