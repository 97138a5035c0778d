"""The languages that the classifier tells apart, by their English names."""

_LISTED = """
ace Acehnese|af Afrikaans|am Amharic|an Aragonese|ar Arabic|ary Moroccan Arabic|arz Egyptian Arabic|as Assamese
az Azerbaijani|ba Bashkir|bcl Bikol|be Belarusian|bg Bulgarian|bn Bengali|br Breton|bs Bosnian|ca Catalan
crh Crimean Tatar|cs Czech|cy Welsh|da Danish|de German|dz Dzongkha|el Greek|en English|eo Esperanto|es Spanish
et Estonian|eu Basque|ext Extremaduran|fa Persian|fi Finnish|fo Faroese|fr French|fuv Fulfulde|fy Frisian|ga Irish
gcf Guadeloupean Creole|gcr Guianese Creole|gd Scottish Gaelic|gl Galician|gom Konkani|grc Ancient Greek|gu Gujarati
gug Guarani|guw Gun|ha Hausa|hbo Ancient Hebrew|he Hebrew|hi Hindi|hr Croatian|ht Haitian Creole|hu Hungarian
hy Armenian|id Indonesian|ig Igbo|is Icelandic|it Italian|ja Japanese|jv Javanese|ka Georgian|kab Kabyle|kik Kikuyu
kk Kazakh|km Khmer|kn Kannada|ko Korean|ku Kurdish|ky Kyrgyz|la Latin|lb Luxembourgish|lg Ganda|lij Ligurian|ln Lingala
lo Lao|lt Lithuanian|ltg Latgalian|lv Latvian|mg Malagasy|mk Macedonian|ml Malayalam|mn Mongolian|mr Marathi|ms Malay
mt Maltese|my Burmese|ne Nepali|nl Dutch|nn Norwegian Nynorsk|no Norwegian|nso Northern Sotho|oc Occitan|om Oromo
or Odia|pa Punjabi|pcm Nigerian Pidgin|pl Polish|ps Pashto|pt Portuguese|qu Quechua|ro Romanian|ru Russian
rw Kinyarwanda|sa Sanskrit|sdh Southern Kurdish|se Northern Sami|si Sinhala|sk Slovak|sl Slovenian|sn Shona|so Somali
sq Albanian|sr Serbian|st Sotho|sv Swedish|sw Swahili|ta Tamil|te Telugu|tg Tajik|th Thai|tk Turkmen|tl Tagalog
tr Turkish|tt Tatar|ug Uyghur|uk Ukrainian|ur Urdu|uz Uzbek|uzs Southern Uzbek|vec Venetian|vi Vietnamese|vo Volapük
wa Walloon|wuu Wu Chinese|xh Xhosa|yo Yoruba|yue Cantonese|zh Chinese|zu Zulu
"""
NAMES = {
    code: name for entry in _LISTED.replace("\n", "|").strip("|").split("|") for code, name in [entry.split(" ", 1)]
}
"""By the classifier's ISO 639 code; its 140th label, zxx, means that there is no language."""
