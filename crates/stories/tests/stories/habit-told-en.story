# A habit described in different words each time becomes one memory at the third mention.
day 0: user "I stopped by the cafe again today"
day 1: user "Went to the coffee shop after work"
day 1: expect count alive = 0
day 3: user "I had a latte at my usual cafe" as cafe
day 3: expect count alive = 1
day 5: user "I spent the afternoon at the coffee place"
day 6: user "I got coffee at the corner cafe this morning"
day 7: expect count M30 = 1
