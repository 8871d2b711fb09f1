"""Published benchmarks, from where they lie to a folder, pinned, verified and once; and one's own, to where others find
them."""
