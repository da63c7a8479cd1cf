// replaced by the first check
