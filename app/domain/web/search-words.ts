/** Longest text that is searched for; what follows is left off, and the page says so. */
export const SEARCH_WORDS_MAX = 100;

/**
 * The search words: one line of at most SEARCH_WORDS_MAX characters, without control characters and halves of characters, which no database
 * can hold. `cut` when there was more.
 */
export function readSearchWords(typed: string | null): { words: string; cut: boolean } {
  // A longer text is not even normalized: nobody searches for so much.
  const text = (typed ?? '').slice(0, SEARCH_WORDS_MAX * 20);
  const words = text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u{fffd}]/gu, ' ')
    .trim()
    .replaceAll(/\s+/g, ' ');
  const characters = [...words];
  const kept = characters.slice(0, SEARCH_WORDS_MAX).join('').trim();
  return { words: kept, cut: characters.length > SEARCH_WORDS_MAX || (typed ?? '').length > text.length };
}

const AMOUNT = /^\p{Sc}?\s*([\d.,'’\s]*\d)\s*\p{Sc}?$/u;

/** An amount as a screen shows it (`€9,900.00`) becomes what search has of it: no sign of a currency, and no zeros that decide nothing. */
export function amountAsSearched(words: string): string {
  const amount = AMOUNT.exec(words)?.[1];
  return amount === undefined ? words : amount.replace(/[.,]00$/, '').replace(/([.,]\d)0$/, '$1');
}
