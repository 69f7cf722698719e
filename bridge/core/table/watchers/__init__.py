"""Who watches a game for what an arbiter should know: one watcher for each subject."""
