"""The main job: a real data set carried through every language, timed beside what people use today."""
