# Daily café visits become one M90 essence, then one M365 essence.
day 0..24: remember "Had a latte at the corner café again" or "Stopped by the corner café after work" or "Read a book over a latte at the café" or "The latte at the corner café was great today" or "Grabbed a latte at the café after lunch" or "The café owner gave me a free latte" or "Went to the corner café on the weekend too" or "Sat by the café window with a latte" as cafe
day 25: expect count M90 = 1
day 25: expect essence of cafe in M90 because repeated as habit
day 25: expect count M30 = 25
day 26: use habit 5 times
day 31: expect count M365 = 1
day 31: expect essence of habit in M365 because recalled
day 31: expect essence of cafe in M365
day 70: expect count M30 = 0
day 80..220 every 70: recall "the corner café"
day 300: expect "café" in M365
day 300: expect count M0 = 0
