/** Days from 0001-01-01 to 9999-12-31. */
export const DATE_MIN = -719_162;
export const DATE_MAX = 2_932_896;
/** Nanoseconds of a day, less one. */
export const TIME_MAX = 86_399_999_999_999;
/** Whole seconds of the first and the last instant. */
export const SECONDS_MIN = DATE_MIN * 86_400;
export const SECONDS_MAX = DATE_MAX * 86_400 + 86_399;
