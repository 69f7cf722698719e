"""Games as the JSON files of LiveChess Cloud, for the viewers and tools that read those.

The shapes are those of files that LiveChess wrote; what is said of readers is what the sources of
lichess-org/lila (modules/relay/src/main/DgtJson.scala and RelayFormat.scala) and of other viewers
expect.
"""
