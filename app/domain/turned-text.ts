/**
 * Unicode's explicit directions (UAX #9, section 2): an override turns every letter that follows, our own words and those of others with it, until
 * something ends it. People write what they write without them; who puts them in wants a text to be read as another.
 */
const TURNS = /[\u202A-\u202E\u2066-\u2069]/g;

/** A text of somebody else's, to stand in a sentence of ours. */
export function withoutTurns(text: string): string {
  return text.replace(TURNS, '');
}
