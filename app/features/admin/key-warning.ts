/** Keys that end within these days are told of. */
export const KEY_WARNING_DAYS = 30;
