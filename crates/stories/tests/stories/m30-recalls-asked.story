# Recalls caused by questions in a conversation.
day 0: remember "The spare key is under the third flower pot" as key
day 1: recall "where is the spare key?"
day 2: recall "spare key"
day 3: recall "which flower pot hides the key?"
day 3: expect key recalled = 3
day 4: expect essence of key in M90 because recalled
