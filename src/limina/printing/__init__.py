"""Games on paper: sheets to cut out, and what turns our drawings into PDF, PNG and moving pictures."""
