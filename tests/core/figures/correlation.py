"""What several tests of correlation share."""

EVIL = "<b>bold</b><script>alert(1)</script> & $x$ \"quoted\" 'too'"
