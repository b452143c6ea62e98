def blocks_needed(tokens, block_size):
    return max(1, -(-tokens // block_size))
