"""Cases of the Laws, judged by the public functions and compared with what is expected."""
