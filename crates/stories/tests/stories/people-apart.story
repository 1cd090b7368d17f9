# People who share a name or title but are described as different people stay separate.
day 0: remember "mum planted bulbs" as mum
day 0: remember "my mother in law knits" as law
day 0: remember "외할머니가 감을 보내셨어" as outer
day 0: remember "할머니가 전 부쳐 주셨어" as inner
day 0: remember "Sam from work is leaving" as sam
day 1: remember "called my mum" as mum
day 1: remember "mother-in-law sold the boat" as law
day 1: remember "외할머니댁에 다녀왔어" as outer
day 1: remember "할머니 무릎이 아프시대" as inner
day 1: remember "cousin Sam borrowed a rake" as sam
day 2: remember "mum hates the rug" as mum
day 2: remember "lunch with my mother-in-law" as law
day 2: remember "외할머니 목소리가 밝으셨어" as outer
day 2: remember "할머니랑 장에 갔어" as inner
day 2: remember "Sam my old roommate texted" as sam
day 9: expect "Mum came up 3 times" in M90
day 9: expect "Mother-in-law came up 3 times" in M90
day 9: expect "외할머니 이야기가 3번" in M90
day 9: expect essence of inner in M90 because repeated
day 9: expect no essence of sam
day 9: expect count M90 = 4
