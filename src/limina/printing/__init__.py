"""Printing: sheets to cut out as PDF, and drawings as PNG and animations."""
