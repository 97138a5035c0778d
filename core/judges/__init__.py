"""Language models as judges: what they are asked, where they run, what they answered."""
