//! A calendar day, for suppressions that end.

use std::fmt;
use std::str::FromStr;
use std::time::{SystemTime, UNIX_EPOCH};

/// A day of the Gregorian calendar. Ordered by time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date {
    year: u16,
    month: u8,
    day: u8,
}

impl Date {
    /// A day that exists; `None` for one such as the 30th of February.
    pub fn new(year: u16, month: u8, day: u8) -> Option<Self> {
        let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
        let days = match month {
            1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
            4 | 6 | 9 | 11 => 30,
            2 if leap => 29,
            2 => 28,
            _ => return None,
        };
        (1..=days).contains(&day).then_some(Self { year, month, day })
    }

    /// Today in universal time: the same answer on every machine at one moment.
    pub fn today() -> Self {
        let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
        Self::from_unix_day(seconds / 86_400)
    }

    /// The day that begins `days` days after 1 January 1970.
    fn from_unix_day(days: u64) -> Self {
        // Years are counted from 1 March, so that the leap day is the last one of its year and of its 400-year cycle.
        let days = days + 719_468;
        let (cycle, day_of_cycle) = (days / 146_097, days % 146_097);
        let year_of_cycle =
            (day_of_cycle - day_of_cycle / 1_460 + day_of_cycle / 36_524 - day_of_cycle / 146_096) / 365;
        let day_of_year = day_of_cycle - (365 * year_of_cycle + year_of_cycle / 4 - year_of_cycle / 100);
        let month = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * month + 2) / 5 + 1;
        let (year, month) =
            (cycle * 400 + year_of_cycle + u64::from(month >= 10), if month < 10 { month + 3 } else { month - 9 });
        Self {
            year: u16::try_from(year).unwrap_or(u16::MAX),
            month: u8::try_from(month).unwrap_or(1),
            day: u8::try_from(day).unwrap_or(1),
        }
    }
}

impl fmt::Display for Date {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

impl FromStr for Date {
    type Err = InvalidDate;

    fn from_str(text: &str) -> Result<Self, InvalidDate> {
        let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        match text.split('-').collect::<Vec<_>>().as_slice() {
            [year, month, day]
                if (year.len(), month.len(), day.len()) == (4, 2, 2)
                    && digits(year)
                    && digits(month)
                    && digits(day) =>
            {
                let number = |part: &str| part.parse::<u8>().map_err(|_| InvalidDate);
                Self::new(year.parse().map_err(|_| InvalidDate)?, number(month)?, number(day)?).ok_or(InvalidDate)
            }
            _ => Err(InvalidDate),
        }
    }
}

/// Text that is no day in the form `2027-01-31`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a day in the form 2027-01-31")]
pub struct InvalidDate;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_days_from_the_epoch() {
        for (days, text) in
            [(0, "1970-01-01"), (58, "1970-02-28"), (59, "1970-03-01"), (11_016, "2000-02-29"), (20_788, "2026-12-01")]
        {
            assert_eq!(Date::from_unix_day(days).to_string(), text);
            assert_eq!(text.parse(), Ok(Date::from_unix_day(days)));
        }
    }

    #[test]
    fn refuses_days_that_do_not_exist() {
        for text in
            ["2027-02-29", "2027-13-01", "2027-1-1", "27-01-01", "2027-01-00", "+027-01-01", "", "2027-01-01T00"]
        {
            assert_eq!(text.parse::<Date>(), Err(InvalidDate), "{text}");
        }
    }
}
