# Messages sent after the clock went back still count as later than the earlier messages.
day 40: user "I live in Oslo"
day 40: clock behind 2 days
day 40: user "I moved to Lima, I live in Lima now"
day 40: expect fact residence = "Lima"
day 40: clock right
day 41: expect fact residence = "Lima"
day 41: clock behind 20000 days
day 41: user "I moved to Quito, I live in Quito now"
day 41: clock right
day 42: expect fact residence = "Quito"
day 42: expect ledger whole
