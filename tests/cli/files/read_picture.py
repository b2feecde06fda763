"""read_picture.py FILE.png: its chunks and rows, read without libpng: PNG by hand, zlib from Python."""

import struct
import sys
import zlib

NAMES = {0: "grey", 2: "RGB", 6: "RGBA"}


def chunks(data):
    assert data[:8] == b"\x89PNG\r\n\x1a\n", "no signature"
    at = 8
    while at < len(data):
        size, name = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + size]
        assert struct.unpack(">I", data[at + 8 + size:at + 12 + size])[0] == zlib.crc32(name + body), "wrong checksum"
        yield name, body
        at += 12 + size


def predictor(kind, left, up, up_left):
    if kind == 4:
        near = left + up - up_left
        return min((abs(near - left), 0, left), (abs(near - up), 1, up), (abs(near - up_left), 2, up_left))[2]
    return (0, left, up, (left + up) // 2)[kind]


def unfilter(data, height, row_bytes, step):
    before, rows = bytes(row_bytes), []
    for y in range(height):
        kind, line = data[y * (row_bytes + 1)], bytearray(data[y * (row_bytes + 1) + 1:(y + 1) * (row_bytes + 1)])
        for i in range(row_bytes):
            left, up_left = (line[i - step], before[i - step]) if i >= step else (0, 0)
            line[i] = (line[i] + predictor(kind, left, before[i], up_left)) & 255
        rows.append(bytes(line))
        before = rows[-1]
    return rows


def samples(row, bits, count):
    if bits == 16:
        return list(struct.unpack(f">{count}H", row))
    if bits == 1:
        return [row[i // 8] >> (7 - i % 8) & 1 for i in range(count)]
    return list(row)


def read(path):
    """(width, height, bits, name of the colour type, rows of samples)."""
    found = list(chunks(open(path, "rb").read()))
    assert [name for name, _ in found][0] == b"IHDR" and found[-1] == (b"IEND", b""), "chunks"
    width, height, bits, colour, *rest = struct.unpack(">IIBBBBB", found[0][1])
    assert rest == [0, 0, 0], "method, filter or interlace"
    per_pixel = {0: 1, 2: 3, 6: 4}[colour]
    row_bytes = (width * per_pixel * bits + 7) // 8
    data = zlib.decompress(b"".join(body for name, body in found if name == b"IDAT"))
    assert len(data) == height * (row_bytes + 1), "length"
    rows = unfilter(data, height, row_bytes, max(1, per_pixel * bits // 8))
    return width, height, bits, NAMES[colour], [samples(row, bits, width * per_pixel) for row in rows]


if __name__ == "__main__":
    width, height, bits, colour, rows = read(sys.argv[1])
    print(f"{width} x {height}, {colour}, {bits} bits")
    for row in rows:
        print(*row)
