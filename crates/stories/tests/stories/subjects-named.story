# A person is a topic under every form of the name, also if the name is a common word; so is a noun that is also a verb.
day 0: remember "Grant dropped by with a cake" as grant
day 0: remember "the train stood still for an hour" as train
day 0: remember "I train for the relay" as other
day 0: remember "the neighbour lent me a ladder" as next
day 0: remember "할머님이 송편을 보내셨어" as gran
day 0: remember "젤다 켜자마자 졌어" as zelda
day 1: remember "went to the fair with Grant" as grant
day 1: remember "left my scarf on the train" as train
day 1: remember "my neighbor's lights are up already" as next
day 1: remember "할머니랑 장에 갔어" as gran
day 1: remember "동생이 젤다를 다 깼어" as zelda
day 2: remember "Grant and I mended the shed" as grant
day 2: remember "my train was replaced by a coach" as train
day 2: remember "waved at the neighbours" as next
day 2: remember "할무니 목소리가 밝으셨어" as gran
day 2: remember "젤다 새 편이 나왔대" as zelda
day 5: expect "Grant came up 3 times" in M90
day 5: expect "Train came up 3 times" in M90
day 5: expect "came up 3 times. the neighbour" in M90
day 5: expect "할머니 이야기가 3번" in M90
day 5: expect "젤다 이야기가 3번" in M90
day 5: expect no essence of other
day 5: expect count M90 = 5
# Memories without a nameable subject are not a topic: times, numbers, everyday actions.
day 6: remember "열시에 겨우 일어났어" as hollow
day 6: remember "Everyone went quiet at the table" as hollow
day 7: remember "열시까지 기다렸어" as hollow
day 7: remember "The hall was so quiet" as hollow
day 8: remember "열시쯤 나갔어" as hollow
day 8: remember "It got quiet after ten" as hollow
day 12: expect no essence of hollow
day 12: expect count M90 = 5
