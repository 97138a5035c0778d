"""What judges are asked in a study, and what they replied."""
