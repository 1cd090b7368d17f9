# Messages that share only their subject: the third mention is stored, and every later one counts for it.
start 2026-03-02T20:00:00Z
day 0: user "I sanded the hull of the canoe" assistant "Hard work."
day 2: user "ordered epoxy for the canoe" assistant "Good."
day 3: user "Cleaned the gutters after lunch" assistant "Done at last."
day 4: user "The canoe got its first coat of varnish" assistant "It must shine." as canoe
day 4: expect canoe in M30
day 6: user "I carved a paddle to go with the canoe" assistant "Nice."
day 6: expect count M30 = 1
day 8: user "We carried the canoe down to the lake" assistant "How was it?"
day 15: expect essence of canoe in M90 because repeated as essence
day 15: expect count M90 = 1
day 15: expect recall "canoe" finds "5 times"
day 15: expect recall "gutters" misses canoe
