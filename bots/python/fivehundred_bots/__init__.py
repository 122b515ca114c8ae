"""Complete players of 500: references to measure against, and faulty ones to test with."""
