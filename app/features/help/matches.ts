/** Lower case, without accents and vowel points, so that text typed without them is found. */
const plain = (text: string) => text.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '');

/** Whether each word stands somewhere in the texts, in any order. No words: everything matches. */
export function matches(words: string, ...texts: readonly string[]): boolean {
  const within = plain(texts.join(' '));
  return plain(words)
    .split(/\s+/)
    .every((word) => within.includes(word));
}
