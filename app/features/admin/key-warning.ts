/** Keys that end within these days learn about. */
export const KEY_WARNING_DAYS = 30;
