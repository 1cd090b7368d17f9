# A memory that the owner restored stays for at least a week, however long the conversation in it.
day 0: remember "Sent a parcel to Riga" as parcel
day 0: remember "Note one about the cellar" pin
day 0: remember "Note two about the attic" pin
day 0: remember "Note three about the garage" pin
day 0: remember "Note four about the garden" pin
day 0: remember "Note five about the fence" pin
day 0: remember "Note six about the gate" pin
day 0: remember "Note seven about the roof" pin
day 0: remember "Note eight about the stairs" pin
day 0: remember "Note nine about the porch" pin
day 0: remember "Note ten about the well" pin
day 0: remember "Note eleven about the shed" pin
day 0: remember "Note twelve about the oven" pin
day 8: chat 250
day 8: tick
day 8: expect parcel on cliff because displaced
day 9: restore parcel
day 9: chat 100
day 9: tick
day 9: chat 100
day 9: tick
day 15: expect parcel in M30
