import numpy as np


def quantize(w, group):
    rows, cols = w.shape
    grouped = np.asarray(w, dtype=np.float32).reshape(rows, group, cols // group).transpose(0, 2, 1)
    largest = np.abs(grouped).max(axis=2)
    scales = np.where(largest == 0, 1.0, largest / 7).astype(np.float32)
    integers = np.clip(np.rint(grouped / scales[:, :, None]), -8, 7).astype(np.int8).transpose(0, 2, 1).reshape(rows, cols)
    nibbles = integers.view(np.uint8) & 0x0F
    return nibbles[:, 0::2] | (nibbles[:, 1::2] << 4), scales


def unpack(packed):
    low, high = packed & 0x0F, packed >> 4
    nibbles = np.stack([low, high], axis=2).reshape(len(packed), -1).astype(np.int8)
    return np.where(nibbles >= 8, nibbles - 16, nibbles).astype(np.int8)


def gemv(packed, scales, x):
    integers = unpack(packed).astype(np.float32)
    rows, groups = scales.shape
    partial = (integers * x).reshape(rows, groups, -1).sum(axis=2)
    return (partial * scales).sum(axis=1)
