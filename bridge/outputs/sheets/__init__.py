"""Printed scoresheets: PDF and HTML, each with its fonts inside."""
