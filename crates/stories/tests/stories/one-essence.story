# One topic has one essence per tier, regardless of its wording and of the emotion of a single day.
day 0..20 every 2: remember "베란다에서 커피를 마셨어" or "카페에 들렀어" or "커피가 다 떨어졌어" or "카페 자리가 없었어" as coffee
day 1..21 every 2: remember "Otto chewed the rug" or "walked Otto along the canal" or "Otto sneezed all night" as otto
day 9: remember "Otto ran into the road and I froze" emotions fear,sadness intensity 0.9 as road
day 26: expect "카페·커피 이야기가 11번" in M90
day 26: expect "Otto came up 11 times" in M90
day 26: expect essence of road in M90 because moved
day 26: expect count M90 = 3
