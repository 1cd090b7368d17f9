# M90 to M365: the memory has an island.
day 0: remember "매주 토요일에는 산에 오른다" tier M90 as hike
day 0: remember "저녁에는 주로 국수를 먹는다" tier M90 as noodles
day 3: island "등산" on hike
day 31: expect essence of hike in M365 because island
day 31: expect no essence of noodles
