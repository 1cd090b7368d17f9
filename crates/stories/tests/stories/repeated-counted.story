# An essence of a repeated topic states three mentions, also when one of the three is promoted on its own as well.
day 0: remember "booked the ferry to Crete" as ferry
day 0: remember "속초 항공권 끊었어" as busan
day 1: remember "finished packing for Crete" as ferry
day 1: remember "속초 숙소를 골랐어" as busan
day 2: remember "he proposed to me in Crete!!" emotions joy intensity 0.9 as proposal
day 2: remember "속초에서 프로포즈 받았어!!" emotions joy intensity 0.9 as ring
day 9: expect "Crete came up 3 times" in M90
day 9: expect "속초 이야기가 3번" in M90
day 9: expect essence of ferry proposal in M90 because repeated
day 9: expect essence of busan ring in M90 because repeated
day 9: expect "he proposed to me" in M90
day 9: expect count M90 = 4
