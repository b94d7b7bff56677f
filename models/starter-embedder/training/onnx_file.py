"""How are the rows written as a model that onnxruntime runs? Protocol buffers by hand: the graph is small."""
import numpy as np

# Numbers of onnx.proto.
_FLOAT, _UINT8, _INT8, _INT32, _INT64, _FLOAT16 = 1, 2, 3, 6, 7, 10
_ATTRIBUTE_INT, _ATTRIBUTE_INTS = 2, 7
_IR_VERSION, _OPSET = 8, 17
_TYPE_OF = {'float32': _FLOAT, 'int8': _INT8, 'int64': _INT64, 'float16': _FLOAT16}
_SHORTEST = 1e-9  # what a text without features is divided by; its vector is zero
_BASE = 128  # of the digits of the factors, see model_bytes


def quantise(rows):
    """(int8 [rows, dimensions], float16 [rows]): each row by its largest number."""
    scales = np.maximum(np.abs(rows).max(1) / 127, 1e-7).astype(np.float16)
    packed = np.clip(np.round(rows / scales.astype(np.float32)[:, None]), -127, 127).astype(np.int8)
    return packed, scales


def restore(packed, scales):
    """The rows as the model sees them, float32."""
    return packed.astype(np.float32) * scales.astype(np.float32)[:, None]


def _varint(value):
    encoded = bytearray()
    while value > 0x7F:
        encoded.append(value & 0x7F | 0x80)
        value >>= 7
    encoded.append(value)
    return bytes(encoded)


def _number(field, value):
    return _varint(field << 3) + _varint(value)


def _bytes(field, value):
    value = value.encode() if isinstance(value, str) else value
    return _varint(field << 3 | 2) + _varint(len(value)) + value


def _node(kind, inputs, output, **attributes):
    node = b''.join(_bytes(1, name) for name in inputs) + _bytes(2, output) + _bytes(3, output) + _bytes(4, kind)
    for name, value in attributes.items():
        if isinstance(value, int):
            body = _number(3, value) + _number(20, _ATTRIBUTE_INT)
        else:
            body = b''.join(_number(8, each) for each in value) + _number(20, _ATTRIBUTE_INTS)
        node += _bytes(5, _bytes(1, name) + body)
    return _bytes(1, node)


def _tensor(name, array):
    dimensions = b''.join(_number(1, size) for size in array.shape)
    kind = _number(2, _TYPE_OF[array.dtype.name])
    return _bytes(5, dimensions + kind + _bytes(8, name) + _bytes(9, array.tobytes()))


def _value(field, name, kind, shape):
    sizes = b''.join(_bytes(1, _number(1, size) if isinstance(size, int) else _bytes(2, size)) for size in shape)
    return _bytes(field, _bytes(1, name) + _bytes(2, _bytes(1, _number(1, kind) + _bytes(2, sizes))))


def model_bytes(packed, scales):
    """rows int32, weights float32, both [texts, length] → vectors float32 [texts, dimensions] of unit length.

    The sum of a text's rows, each times weight and scale, is taken over the 8-bit numbers as they are, which is half
    again as fast as turning them into floats first: weight times scale is written in two digits of 7 bits,
    relative to the largest of the text, and MatMulInteger sums for both digits. The unit of these numbers falls away
    with the length. 7 bits, because processors without VNNI add two products of 8 bits in 16 bits and saturate.
    """
    graph = b''.join((
        _node('Gather', ('scales', 'rows'), 'scales_half', axis=0),
        _node('Cast', ('scales_half',), 'scales_of_rows', to=_FLOAT),
        _node('Mul', ('weights', 'scales_of_rows'), 'factors'),
        _node('ReduceMax', ('factors',), 'largest', axes=(1,), keepdims=1),
        _node('Max', ('largest', 'shortest'), 'units'),
        _node('Div', ('factors', 'units'), 'shares'),
        _node('Mul', ('shares', 'most'), 'counts'),
        _node('Div', ('counts', 'base'), 'counts_of_high'),
        _node('Floor', ('counts_of_high',), 'high'),
        _node('Mul', ('high', 'base'), 'high_counts'),
        _node('Sub', ('counts', 'high_counts'), 'low'),
        _node('Cast', ('high',), 'high_byte', to=_UINT8),
        _node('Cast', ('low',), 'low_byte', to=_UINT8),
        _node('Unsqueeze', ('high_byte', 'middle'), 'high_line'),
        _node('Unsqueeze', ('low_byte', 'middle'), 'low_line'),
        _node('Concat', ('high_line', 'low_line'), 'digits', axis=1),
        _node('Gather', ('table', 'rows'), 'packed', axis=0),
        _node('MatMulInteger', ('digits', 'packed'), 'sums_of_digits'),
        _node('Cast', ('sums_of_digits',), 'numbers_of_digits', to=_FLOAT),
        _node('Mul', ('numbers_of_digits', 'places'), 'parts'),
        _node('ReduceSum', ('parts', 'middle'), 'sums', keepdims=0),
        _node('ReduceL2', ('sums',), 'lengths', axes=(1,), keepdims=1),
        _node('Max', ('lengths', 'shortest'), 'divisors'),
        _node('Div', ('sums', 'divisors'), 'vectors'),
        _bytes(2, 'starter-embedder'),
        _tensor('table', packed),
        _tensor('scales', scales),
        _tensor('middle', np.array([1], np.int64)),
        _tensor('shortest', np.array([_SHORTEST], np.float32)),
        _tensor('most', np.array([_BASE * _BASE - 1], np.float32)),
        _tensor('base', np.array([_BASE], np.float32)),
        _tensor('places', np.array([[[_BASE], [1]]], np.float32)),
        _value(11, 'rows', _INT32, ('texts', 'length')),
        _value(11, 'weights', _FLOAT, ('texts', 'length')),
        _value(12, 'vectors', _FLOAT, ('texts', packed.shape[1])),
    ))
    opset = _bytes(1, '') + _number(2, _OPSET)
    return _number(1, _IR_VERSION) + _bytes(2, 'starter-embedder') + _bytes(7, graph) + _bytes(8, opset)


def write_model(path, packed, scales):
    path.write_bytes(model_bytes(packed, scales))


def _fields(message):
    """(field, content) of the length-delimited fields of a message, others passed over."""
    at = 0

    def number():
        nonlocal at
        value, shift = 0, 0
        while True:
            byte = message[at]
            at += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    while at < len(message):
        key = number()
        value = number()
        if key & 7 == 2:
            yield key >> 3, message[at:at + value]
            at += value


def read_model(path):
    """(packed, scales) of a model written here."""
    graph = next(content for field, content in _fields(memoryview(path.read_bytes())) if field == 7)
    tensors = [dict(_fields(content)) for field, content in _fields(graph) if field == 5]
    raw = {bytes(tensor[8]).decode(): tensor[9] for tensor in tensors}
    scales = np.frombuffer(raw['scales'], np.float16)
    return np.frombuffer(raw['table'], np.int8).reshape(len(scales), -1), scales
