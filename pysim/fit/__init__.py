"""How are the efficiencies found: from which measurements, by which method, and how well do they predict?"""
