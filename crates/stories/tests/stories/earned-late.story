# A memory that qualified for promotion after the last weekly run is promoted when its term ends, and does not expire first.
# Mondays are days 4, 11, 18, 25 and 32.
day 0: remember "할아버지 제사는 음력 섣달 초이틀에 지내요" as rite
day 0: remember "The boiler man left his card on the fridge" as card
day 0: remember "Left my scarf on the night bus" as scarf
day 0: remember "기원에서 바둑을 한 판 뒀다" as go
day 5: remember "바둑 복기를 하다 밤을 새웠다" as go
day 29: user "할아버지 제사는 음력 섣달 초이틀에 지내요. 꼭 기억해 주세요" assistant "네, 꼭 기억할게요."
day 29: use card 3 times
day 29: remember "바둑 급수가 하나 올랐다" as go
day 30 10:00: expect essence of rite in M90 because remember
day 30 10:00: expect essence of card in M90 because recalled
day 30 10:00: expect essence of go in M90 because repeated
day 30 10:00: expect scarf on cliff because expired
day 30 10:00: expect no essence of scarf
day 32 10:00: expect count M90 = 3
day 38 10:00: expect rite gone
day 38 10:00: expect recall "할아버지 제사" finds "섣달"
