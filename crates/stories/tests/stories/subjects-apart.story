# A qualifier makes a different subject: two managers with one title, another person's mother, two kinds of lessons, the
# neighbour's cat.
day 5..9 every 2: remember "김 차장님이 커피를 사셨어" or "김 차장님 아들이 입학했대" or "김 차장님이 칭찬해 주셨어" as kim
day 5..9 every 2: remember "송 차장님이 또 소리를 질렀어" or "송 차장님 보고서를 고쳤어" or "송 차장님은 늘 늦어" as song
day 5..9 every 2: remember "Ivan's mum plays the organ" or "Ivan's mum drove us there" or "Ivan's mum has a new hip" as ivan
day 5..9 every 2: remember "my mum repainted the porch" or "mum sent me a scarf" or "my mum wants a canary" as mum
day 5..9 every 2: remember "바이올린 레슨을 미뤘어" or "바이올린 레슨에서 활이 부러졌어" or "바이올린 레슨 끝나고 걸었어" as violin
day 5..9 every 2: remember "발레 레슨을 등록했어" or "발레 레슨 거울이 깨졌어" or "발레 레슨이 재밌어졌어" as ballet
day 5..9 every 2: remember "옆집 고양이가 울타리를 넘었어" or "옆집 고양이가 화단을 팠어" or "옆집 고양이 밥을 챙겼어" as next
day 13: expect "김 차장님 이야기가 3번" in M90
day 13: expect "송 차장님 이야기가 3번" in M90
day 13: expect "Ivan's mum came up 3 times" in M90
day 13: expect "Mum came up 3 times" in M90
day 13: expect "바이올린 레슨 이야기가 3번" in M90
day 13: expect "발레 레슨 이야기가 3번" in M90
day 13: expect "옆집 고양이 이야기가 3번" in M90
day 13: expect count M90 = 7
