//! CRC-32 of zlib and PNG: polynomial 04C11DB7, reflected, initial value and final XOR FFFFFFFF.

/// `TABLES[k][b]` is what the byte `b` contributes when `k` bytes follow it: eight bytes take one step ("slicing by 8").
static TABLES: [[u32; 256]; 8] = tables();

const fn tables() -> [[u32; 256]; 8] {
    let mut tables = [[0; 256]; 8];
    let mut byte = 0;
    while byte < 256 {
        let mut crc = byte as u32;
        let mut bit = 0;
        while bit < 8 {
            crc = if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 };
            bit += 1;
        }
        tables[0][byte] = crc;
        byte += 1;
    }
    let mut slice = 1;
    while slice < 8 {
        let mut byte = 0;
        while byte < 256 {
            let before = tables[slice - 1][byte];
            tables[slice][byte] = before >> 8 ^ tables[0][(before & 0xff) as usize];
            byte += 1;
        }
        slice += 1;
    }
    tables
}

/// Returns the checksum of all bytes.
pub(super) fn crc32(bytes: &[u8]) -> u32 {
    let mut crc = u32::MAX;
    let mut blocks = bytes.chunks_exact(8);
    for block in &mut blocks {
        let low = crc ^ u32::from_le_bytes([block[0], block[1], block[2], block[3]]);
        let [a, b, c, d] = low.to_le_bytes();
        crc = TABLES[7][usize::from(a)]
            ^ TABLES[6][usize::from(b)]
            ^ TABLES[5][usize::from(c)]
            ^ TABLES[4][usize::from(d)]
            ^ TABLES[3][usize::from(block[4])]
            ^ TABLES[2][usize::from(block[5])]
            ^ TABLES[1][usize::from(block[6])]
            ^ TABLES[0][usize::from(block[7])];
    }
    for byte in blocks.remainder() {
        crc = crc >> 8 ^ TABLES[0][(crc as u8 ^ byte) as usize];
    }
    !crc
}

#[cfg(test)]
mod tests {
    use super::crc32;

    #[test]
    fn is_the_checksum_of_zlib() {
        assert_eq!(crc32(b""), 0);
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
        assert_eq!(crc32(b"The quick brown fox jumps over the lazy dog"), 0x414f_a339);
    }
}
