"""A server that speaks like DGT LiveChess 2, for the programs and web pages made for it."""
