"""Phrases that mark a sentence or line of a web page as boilerplate, by their kind."""

_SITES = r"(?:facebook|twitter|instagram|pinterest|linkedin|youtube|reddit|whatsapp|google\+|tumblr|e-?mail)"

BEGINNINGS: dict[str, tuple[str, ...]] = {
    "a subscription": (
        r"(?:please )?(?:subscribe|sign up|sign in|log ?in|register)\b(?=\W*$| (?:to|now|today|here|for|with|or)\b)",
    ),
    "sharing": (
        r"(?:please )?(?:share|tweet|pin|e-?mail|print)"
        rf"(?: (?:this|it|on|via|to|article|story|post|page|{_SITES}))*\W*$",
    ),
    "a link": (
        r"(?:read|see|view|load|show|learn|find out) (?:more|all|also)\W*$|(?:read|see) (?:more|also)\b ?[:>»…]",
        r"continue reading\b|back to (?:top|home)\b|skip to (?:main |the )?content\b",
        r"related (?:articles?|stories|posts?|topics?|links?|content|coverage)\b",
        r"(?:you may|you might) also (?:like|be interested)\b",
    ),
    "comments": (
        r"(?:leave|post|add|write) a (?:comment|reply|review)\b|\d+ (?:comments?|replies|shares|likes|views)\W*$",
        r"(?:comments?|replies) (?:are )?(?:closed|off|disabled)\b|(?:view|show|hide|load) (?:all )?comments\b",
    ),
    "an advertisement": (r"advertisements?\b|sponsored content\b|sponsored\W*$|continue reading below\b",),
    "a notice": (
        r"(?:loading|please wait)\W*$|(?:image|media|photo|picture) (?:caption|copyright|credit|by|courtesy)\b",
    ),
}
"""Patterns of how such a sentence begins."""

ANYWHERE: dict[str, tuple[str, ...]] = {
    "cookies": (
        r"\b(?:uses?|accept(?:ing)?|reject|allow|manage|enable|disable) (?:all |our |the use of )?cookies\b",
        r"\bcookie (?:policy|settings|preferences|notice)\b",
    ),
    "a subscription": (
        r"\bsign up (?:for (?:our|this)|to (?:our|receive|get))\b|\bunsubscribe\b|\bsubscribers? only\b",
        r"\b(?:our|free|daily|weekly) (?:e-?mail )?newsletter",
        r"\byou must (?:be logged in|log in|sign in)\b|\b(?:create|need) an account\b",
    ),
    "sharing": (
        rf"\b(?:share|tweet|post) (?:(?:this|it) )?(?:on|via|to) {_SITES}\b",
        rf"\b(?:follow|like|find|join) (?:us|me|him|her|them) on {_SITES}\b",
    ),
    "rights": (
        r"©|\(c\) ?(?:19|20)\d\d|\bcopyright (?:©|\(c\)|(?:19|20)\d\d|by)|\ball rights reserved\b",
        r"\bmay not be (?:published|reproduced|reprinted)\b|\breprinted with permission\b",
    ),
    "a link": (
        r"\bclick (?:here|on the (?:link|image|button|photo))\b",
        r"\bsee (?:the )?(?:full|complete) (?:list|story|article)\b",
    ),
    "an advertisement": (r"\b(?:story|article) continues (?:below|after)\b",),
    "a notice": (
        r"\bterms (?:of (?:use|service)|and conditions)\b|\bprivacy (?:policy|notice|statement)\b",
        r"\b(?:enable|requires?|turn on) javascript\b|\bgetty images\b",
        r"\bthis (?:video|content|page) is (?:not|no longer) available\b",
    ),
}
"""Patterns of what stands in such a sentence."""

LITERALS = (
    *("cookie", "sign up", "subscribe", "newsletter", "you must", "an account"),
    *(
        "facebook",
        "twitter",
        "instagram",
        "pinterest",
        "linkedin",
        "youtube",
        "reddit",
        "whatsapp",
        "google+",
        "tumblr",
    ),
    *("mail", "©", "(c)", "copyright", "rights reserved", "may not be", "reprinted"),
    *("click ", "see ", "continues ", "terms ", "privacy ", "javascript", "getty", "available"),
)
"""Where a pattern of `ANYWHERE` is, one of these is too, in small letters: the quicker thing to look for first."""
