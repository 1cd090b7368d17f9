# Duplicates are merged in the first cycle after both are old enough, however late that cycle runs.
day 0: remember "Alex moved to Toronto for work" kind episodic as first
day 0: remember "Alex moved to Toronto because of work" kind episodic as second
day 0: remember "I baked a rhubarb pie"
day 0: remember "The boiler broke down again"
day 0: remember "Paid the vet 80 dollars"
day 0: remember "Learned to juggle three oranges"
day 0: remember "Lost my gloves in the library"
day 0: remember "The neighbours painted their fence green"
day 0: remember "Watched a documentary about octopuses"
day 0: remember "My bike chain snapped"
day 0: remember "Sam lent me his tent"
day 0: remember "Jury duty letter arrived"
day 10 08:00: chat 12
day 10: tick
day 10: expect first on cliff because displaced
day 10: expect second on cliff because displaced
day 10: expect "Alex moved to Toronto because of work. Alex moved to Toronto for work" in M30
