// Clang includes this for what its own headers already have.
