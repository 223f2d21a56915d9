/** A term found in a text: where its first word begins and its last one ends (UTF-16), and the term's number. */
export type TermHit = { term: number; start: number; end: number };

type Term = { number: number; words: readonly string[]; open: boolean };

const WORD = /[\p{L}\p{N}]+/gu;
/** Words that a term may have; longer ones would not be found. */
const MAX_WORDS = 5;

/**
 * Finds many terms in one pass over a text: its time grows with the text, not with the number of terms. A term is words
 * in lower case; spaces and hyphens between them are alike; `*` at its end stands for any ending of the last word.
 */
export class TermIndex {
  readonly #exact = new Map<string, Term[]>();
  readonly #open = new Map<string, Term[]>();
  readonly #longestOpen: number;

  constructor(terms: readonly string[]) {
    let longest = 0;
    for (const [number, text] of terms.entries()) {
      const words = text.match(WORD) ?? [];
      const [first] = words;
      if (first === undefined || words.length > MAX_WORDS) throw new Error(`'${text}' is no term`);
      const term = { number, words, open: text.endsWith('*') };
      const byFirst = term.open && words.length === 1 ? this.#open : this.#exact;
      byFirst.set(first, [...(byFirst.get(first) ?? []), term]);
      if (byFirst === this.#open) longest = Math.max(longest, first.length);
    }
    this.#longestOpen = longest;
  }

  find(text: string): TermHit[] {
    const words = Array.from(text.matchAll(WORD), (match) => ({
      text: match[0].toLowerCase(),
      start: match.index,
      end: match.index + match[0].length,
    }));
    const hits: TermHit[] = [];
    for (const [index, word] of words.entries()) {
      for (let length = Math.min(word.text.length, this.#longestOpen); length > 1; length -= 1) {
        for (const term of this.#open.get(word.text.slice(0, length)) ?? [])
          hits.push({ term: term.number, start: word.start, end: word.end });
      }
      for (const term of this.#exact.get(word.text) ?? []) {
        const end = this.#endOf(term, words, index, text);
        if (end !== null) hits.push({ term: term.number, start: word.start, end });
      }
    }
    return hits;
  }

  #endOf(term: Term, words: readonly { text: string; start: number; end: number }[], index: number, text: string): number | null {
    let end = words[index]?.end ?? 0;
    for (let offset = 1; offset < term.words.length; offset += 1) {
      const wanted = term.words[offset] ?? '';
      const word = words[index + offset];
      if (word === undefined || !/^[\s\-‐‑–'’,.]{1,3}$/.test(text.slice(end, word.start))) return null;
      const isLast = offset === term.words.length - 1;
      if (isLast && term.open ? !word.text.startsWith(wanted) : word.text !== wanted) return null;
      end = word.end;
    }
    return end;
  }
}
