//! Hash slots of a cluster: CRC-16/XMODEM of a key, or of the tag within it.

/// Slots of a cluster.
const SLOTS: u16 = 16384;

/// CRC-16/XMODEM of each byte.
const TABLE: [u16; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut crc = (byte as u16) << 8;
        let mut bit = 0;
        while bit < 8 {
            crc = if crc & 0x8000 == 0 { crc << 1 } else { (crc << 1) ^ 0x1021 };
            bit += 1;
        }
        table[byte] = crc;
        byte += 1;
    }
    table
};

/// Returns the hash slot of a key, from 0 to 16383. If the key has a tag, what stands between its first `{` and the `}`
/// after it and is not empty, the slot is the tag's.
pub fn key_slot(key: &[u8]) -> u16 {
    let crc = |text: &[u8]| {
        text.iter().fold(0u16, |crc, &byte| (crc << 8) ^ TABLE[usize::from((crc >> 8) as u8 ^ byte)]) % SLOTS
    };
    if let Some(open) = key.iter().position(|&byte| byte == b'{') {
        let rest = &key[open + 1..];
        match rest.iter().position(|&byte| byte == b'}') {
            None | Some(0) => {}
            Some(close) => return crc(&rest[..close]),
        }
    }
    crc(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_those_of_a_server() {
        for (key, slot) in [
            ("", 0),
            ("123456789", 12739),
            ("foo", 12182),
            ("{foo}bar", 12182),
            ("bar{foo}{baz}", 12182),
            ("foo{}", 5542),
            ("foo{}{bar}", 8363),
            ("{", 4092),
            ("}{", 12793),
        ] {
            assert_eq!(key_slot(key.as_bytes()), slot, "{key}");
        }
    }
}
