"""What do all demos share? Controls, HTML, readouts, formulas, recordings, and the browser's way in."""
