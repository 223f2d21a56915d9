/**
 * Unicode's explicit directions (UAX #9, section 2): an override turns every letter that follows, our own words and those of others with it, until
 * something ends it. People write what they write without them; who puts them in wants a text to be read as another.
 */
const BIDI_CONTROLS = /[\u202A-\u202E\u2066-\u2069]/g;

/** A text of someone else's, made safe to use in a sentence of ours. */
export function stripBidiControls(text: string): string {
  return text.replace(BIDI_CONTROLS, '');
}

/**
 * Invisible characters: controls, zero widths, fillers, tags. Bidi marks of dates and amounts, joiners and emoji selectors are not matched:
 * ordinary text needs them.
 */
const UNSEEN = /(?!\uFE0E|\uFE0F|[\t\n\r\u061C\u200C-\u200F])[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** The same with what nobody would see spelled out (`\u{200b}`), for every value of a text that a person reads. */
export function inSentence(text: string): string {
  return stripBidiControls(text).replace(UNSEEN, (sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`);
}
