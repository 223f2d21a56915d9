/** Empty rows below the filled ones, for adding without scripts. */
export const SPARE_ROWS = 2;
