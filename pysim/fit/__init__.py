"""The fit of the efficiencies: from which measurements, by which method, and how well do they predict?"""
