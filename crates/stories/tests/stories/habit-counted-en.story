# A habit from conversation: its essence states the subject and the exact number of mentions.
day 0..27: user "I went to pottery class" or "I threw a bowl at pottery class" or "I glazed a vase at the pottery studio" or "I went to pottery class after work" or "I fired my mugs at pottery class" assistant "nice"
day 35: expect count M90 = 1
day 35: expect "Pottery" in M90
day 35: expect "came up 28 times" in M90
