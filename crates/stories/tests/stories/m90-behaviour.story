# M90 to M365: the memory changed the character's behaviour.
day 0: remember "밤 열 시 이후에는 일 이야기를 꺼내지 않기로 했다" tier M90 as quiet
day 0: remember "저녁에는 주로 국수를 먹는다" tier M90 as noodles
day 3: changed behaviour quiet
day 31: expect essence of quiet in M365 because changed_behaviour
day 31: expect no essence of noodles
