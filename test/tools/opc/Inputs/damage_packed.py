"""damage_packed.py FILE [changed|short|outside]: damages a file of packed constants: a byte of a constant, with the checksum
(changed) or without; or the place of the first constant, 64 bytes of the last page or behind it. Checksums are computed here."""

import pathlib
import struct
import sys

import numpy as np


def checksum(data):
    """That of all after the 16 bytes that it is part of."""
    words = np.frombuffer(bytes(data[16:]), "<u8")
    with np.errstate(over="ignore"):
        words = words + (np.arange(len(words), dtype=np.uint64) + np.uint64(2)) * np.uint64(0x9E3779B97F4A7C15)
        words = (words ^ words >> np.uint64(32)) * np.uint64(0xD6E8FEB86659FD93)
        return int(np.add.reduce(words ^ words >> np.uint64(29), dtype=np.uint64))


def main():
    file, how = pathlib.Path(sys.argv[1]), sys.argv[2:]
    data = bytearray(file.read_bytes())
    if how in (["short"], ["outside"]):
        steps = 16 + 4 + struct.unpack_from("<I", data, 16)[0] + 4
        first = next(at for at in range(steps, len(data), 16) if struct.unpack_from("<Q", data, at + 8)[0])
        struct.pack_into("<QQ", data, first, len(data) - (4096 if how == ["short"] else 0), 64)
    else:
        data[len(data) // 2 + 3] ^= 1 << 6  # of the exponent of a float
    if how:
        struct.pack_into("<Q", data, 8, checksum(data))
    file.write_bytes(data)


main()
