/** Kind of the note in which a test says at how many screens it looked, each language counted. */
export const LOOKED_AT = 'looked at';
