"""Copies of the files of games on a server, by SFTP."""
