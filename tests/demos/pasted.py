"""What do people paste into the doctor's page, here with figures of our own?"""

# 6,400 tokens in 40 s, 300 in 20 s, 0.25 s of loading
OLLAMA = """\
total duration:       1m0.25s
load duration:        250ms
prompt eval count:    6400 token(s)
prompt eval duration: 40s
prompt eval rate:     160.00 tokens/s
eval count:           300 token(s)
eval duration:        20s
eval rate:            15.00 tokens/s
"""
