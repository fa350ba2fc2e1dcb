//! Damage to arrays, of the kinds that a consumer could fall for.

use crate::arrays::Array;
use samewire_peers::random::Random;

const NUMBERS: [i64; 18] = [
    0,
    1,
    -1,
    2,
    3,
    8,
    13,
    100,
    127,
    -128,
    1 << 15,
    1 << 24,
    (1 << 31) - 1,
    1 << 31,
    -(1 << 31),
    1 << 40,
    i64::MAX,
    i64::MIN,
];
const FORMATS: [&str; 16] =
    ["n", "b", "c", "l", "L", "f", "g", "u", "U", "vu", "z", "+s", "+l", "w:16", "+ud:0,1", "tsu:UTC"];

/// A change of any array in the tree. `types`: of formats and names as well.
pub fn damage(array: &mut Array, types: bool, random: &mut Random) {
    let arrays = count(array);
    let mut place = random.below(arrays);
    if let Some(found) = find(array, &mut place) {
        change(found, types, random);
    }
}

fn count(array: &Array) -> usize {
    let parts = array.children.iter().flatten().chain(array.dictionary.as_deref());
    1 + parts.map(count).sum::<usize>()
}

fn find<'a>(array: &'a mut Array, place: &mut usize) -> Option<&'a mut Array> {
    if *place == 0 {
        return Some(array);
    }
    *place -= 1;
    array.children.iter_mut().flatten().chain(array.dictionary.as_deref_mut()).find_map(|part| find(part, place))
}

fn change(array: &mut Array, types: bool, random: &mut Random) {
    let number = *random.pick(&NUMBERS);
    let buffers = array.buffers.len();
    let children = array.children.len();
    match random.below(if types { 18 } else { 15 }) {
        0 => array.length = number,
        1 => array.length = array.length.wrapping_add(*random.pick(&[-1, 1, 2, 7])),
        2 => array.offset = number,
        3 => array.null_count = number,
        4..=8 if buffers > 0 => {
            if let Some(Some(bytes)) = array.buffers.get_mut(random.below(buffers)) {
                overwrite(bytes, number, random);
            }
        }
        9 if buffers > 0 => array.buffers[random.below(buffers)] = None,
        10 if buffers > 0 => drop(array.buffers.remove(random.below(buffers))),
        11 => array.buffers.push(Some(vec![random.byte(); random.below(40)])),
        12 if children > 0 => array.children[random.below(children)] = None,
        13 if children > 0 => drop(array.children.pop()),
        14 => array.dictionary = None,
        15 => array.format = (*random.pick::<&str>(&FORMATS)).into(),
        16 => array.name = (*random.pick::<&str>(&["f0", "f1", "key", "S2", ""])).into(),
        17 => {
            let copy = Array { dictionary: None, children: Vec::new(), ..array.clone() };
            array.dictionary = Some(Box::new(copy));
        }
        _ => {}
    }
}

/// One value of any width, or one bit.
fn overwrite(bytes: &mut [u8], number: i64, random: &mut Random) {
    if bytes.is_empty() {
        return;
    }
    let width = *random.pick(&[1, 4, 4, 8]);
    let at = random.below(bytes.len()) / width * width;
    match random.below(4) {
        0 => bytes[at] ^= 1 << random.below(8),
        _ => {
            let end = (at + width).min(bytes.len());
            bytes[at..end].copy_from_slice(&number.to_le_bytes()[..end - at]);
        }
    }
}
