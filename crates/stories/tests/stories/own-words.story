# A requested or emotionally strong memory is kept in its own words, however often its topic comes up.
day 0: user "혈압약은 아침 8시에 먹어야 돼, 기억해 줘" as pressure
day 1: user "비타민은 점심 먹고 먹어야 돼, 기억해 줘" as vitamin
day 2: user "갑상선약은 자기 전에 먹어야 돼, 기억해 줘" as thyroid
day 5: expect essence of pressure in M90
day 5: expect essence of vitamin in M90
day 5: expect essence of thyroid in M90
day 60: expect "혈압약" in M90
day 60: expect "비타민" in M90
day 60: expect "갑상선약" in M90
# Three ordinary memories of the dog become one essence; its death becomes another.
day 61: remember "강아지 보리랑 산책했어" emotions joy intensity 0.4 as walk
day 62: remember "강아지 보리가 양말을 훔쳐 갔어" emotions joy intensity 0.3 as walk
day 63: remember "강아지 보리 목욕을 시켰어" emotions joy intensity 0.3 as walk
day 64: remember "강아지 보리가 무지개다리를 건넜어" emotions sadness intensity 0.95 as gone
day 67: expect essence of walk in M90 because repeated
day 67: expect essence of gone in M90 because moved
day 110: expect "무지개다리" in M90
day 110: expect recall "보리가 무지개다리를 건넜어?" finds "무지개다리"
day 110: remember "Took Biscuit to the dog park" emotions joy intensity 0.3 as park
day 111: remember "Biscuit chased a squirrel at the dog park" emotions joy intensity 0.3 as park
day 112: remember "Biscuit made a friend at the dog park" emotions joy intensity 0.3 as park
day 112: remember "Biscuit was hit by a car near the dog park" emotions fear,sadness intensity 0.9 as crash
day 118: expect essence of park in M90 because repeated
day 118: expect essence of crash in M90 because moved
