"""What must be on the machine before the site can be built, and how does it get there?"""
