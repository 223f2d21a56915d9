/**
 * Unicode's explicit directions (UAX #9, section 2): an override turns every letter that follows, our own words and those of others with it, until
 * something ends it. People write what they write without them; who puts them in wants a text to be read as another.
 */
const TURNS = /[\u202A-\u202E\u2066-\u2069]/g;
/** The same, the marks of a direction, and signs of no width that draw nothing. The joiners stay: scripts and emoji are written with them. */
const HIDDEN = /[\u061C\u200B\u200E\u200F\u202A-\u202E\u2060\u2066-\u2069\uFEFF]/g;

/** A text of somebody else's, to stand in a sentence of ours. */
export function withoutTurns(text: string): string {
  return text.replace(TURNS, '');
}

/** JSON in which nothing hides: what cannot be seen is written as its escape, which means the same. */
export function showHidden(json: string): string {
  return json.replace(HIDDEN, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
