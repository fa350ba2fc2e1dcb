"""py4jrush: splits a text into sentences by rules that a library of Java applies. It brings a jar of Py4J 0.10.9.7."""

from py4jrush import RuSH

TEXT = "The patient was admitted on 03/26/08.\n He was given 5 mg. No fever was seen. Home on Monday."

for span in RuSH().segToSentenceSpans(TEXT):
    print(span.begin, span.end, TEXT[span.begin : span.end].strip())
