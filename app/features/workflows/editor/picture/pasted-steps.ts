/** As much as the form of the draft takes, in characters. */
export const MAX_PASTED = 200_000;
