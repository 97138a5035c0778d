"""What several tests of join share."""

PID, STUDY, SUBMISSION = "5f" * 12, "60" * 12, "61" * 12
IDS = {"PROLIFIC_PID": PID, "STUDY_ID": STUDY, "SESSION_ID": SUBMISSION}
