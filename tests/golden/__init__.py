"""Golden playthroughs: whole games as text, one file each, compared line by line."""
