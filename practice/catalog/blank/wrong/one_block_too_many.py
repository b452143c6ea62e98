def blocks_needed(tokens, block_size):
    return tokens // block_size + 1
