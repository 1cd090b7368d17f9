# Recalled memories stay near, unused ones move outward, and after ninety days in the cloud zone they are forgotten.
day 0: remember "매일 아침 달리기를 한다" tier M365 importance 0.7 as running
day 0: remember "냉장고를 새로 샀다" tier M365 importance 0.6 as fridge
day 0..119: use running
day 60: expect fridge in zone cloud
day 60: expect running in zone inner
day 89: expect fridge alive
day 91: expect fridge on cliff because expired
day 119: expect running in zone inner
day 119: expect running recalled >= 119
