//! Dates and times: days, or nanoseconds.

use super::numbers::parsed;
use super::{Notation, Reading, Unfit, Value, Writing};
use samewire_pack::{Date, Duration, Time, Timestamp};

const SECOND: i128 = 1_000_000_000;

macro_rules! time {
    ($name:ident, $what:literal, |$number:ident| $make:expr, |$value:ident| $show:expr) => {
        impl Notation for $name {
            fn from_json(value: &Value, _: &mut Reading) -> Result<Self, Unfit> {
                let $number = parsed(value, $what)?;
                $make.ok_or_else(|| Unfit::expected($what, value))
            }

            fn to_json(&self, _: &mut Writing) -> Value {
                let $value = *self;
                $show.to_string().into()
            }
        }
    };
}

time!(Date, "days", |days| Date::from_days(days), |date| date.days());
time!(Time, "nanoseconds of a day", |nanos| Time::from_nanos(nanos), |time| time.nanos());
time!(Timestamp, "nanoseconds of a timestamp", |nanos| timestamp(nanos), |value| {
    i128::from(value.seconds()) * SECOND + i128::from(value.nanos())
});
time!(Duration, "nanoseconds", |nanos| Duration::from_total_nanos(nanos), |value| value.total_nanos());

fn timestamp(nanos: i128) -> Option<Timestamp> {
    let seconds = i64::try_from(nanos.div_euclid(SECOND)).ok()?;
    Timestamp::new(seconds, nanos.rem_euclid(SECOND) as u32)
}
