import anyAscii from 'any-ascii';

/**
 * How alike two names are, whatever their order, accents, script and small errors. Jaro-Winkler over words that are paired
 * best, weighed by their length.
 */

/**
 * Two scripts that any-ascii reads worse: it leaves out the long a of Arabic ('Ali' becomes 'ly'), and reads bet as v and pe as f,
 * which most names have as b and p.
 */
const LETTERS: Readonly<Record<string, string>> = {
  // Arabic, consonants and long vowels, after ICAO Doc 9303
  ا: 'a',
  أ: 'a',
  إ: 'i',
  آ: 'a',
  ب: 'b',
  ت: 't',
  ث: 'th',
  ج: 'j',
  ح: 'h',
  خ: 'kh',
  د: 'd',
  ذ: 'dh',
  ر: 'r',
  ز: 'z',
  س: 's',
  ش: 'sh',
  ص: 's',
  ض: 'd',
  ط: 't',
  ظ: 'z',
  ع: 'a',
  غ: 'gh',
  ف: 'f',
  ق: 'q',
  ك: 'k',
  ل: 'l',
  م: 'm',
  ن: 'n',
  ه: 'h',
  ة: 'a',
  و: 'w',
  ي: 'y',
  ى: 'a',
  ء: '',
  ئ: 'y',
  ؤ: 'w',
  ـ: '',
  // Hebrew
  א: 'a',
  ב: 'b',
  ג: 'g',
  ד: 'd',
  ה: 'h',
  ו: 'v',
  ז: 'z',
  ח: 'ch',
  ט: 't',
  י: 'y',
  כ: 'k',
  ך: 'k',
  ל: 'l',
  מ: 'm',
  ם: 'm',
  נ: 'n',
  ן: 'n',
  ס: 's',
  ע: 'a',
  פ: 'p',
  ף: 'f',
  צ: 'ts',
  ץ: 'ts',
  ק: 'k',
  ר: 'r',
  ש: 'sh',
  ת: 't',
};
const TITLES = new Set(['mr', 'mrs', 'ms', 'miss', 'dr', 'prof', 'sir', 'herr', 'frau', 'mme', 'sr', 'sra', 'the']);
/** Legal forms count for little: 'Acme Ltd' and 'Acme Limited' are one name. */
const LEGAL_FORMS = new Set([
  'ltd',
  'limited',
  'llc',
  'llp',
  'inc',
  'incorporated',
  'corp',
  'corporation',
  'co',
  'company',
  'plc',
  'gmbh',
  'ag',
  'kg',
  'sa',
  'sarl',
  'sas',
  'srl',
  'spa',
  'bv',
  'nv',
  'oy',
  'ab',
  'as',
  'ooo',
  'oao',
  'pjsc',
  'jsc',
  'fze',
  'fzco',
]);
const MAX_WORDS = 20;
const MAX_NAME_CHARACTERS = 300;

/** Signs for short vowels of Arabic and Hebrew, which names are mostly written without. */
const POINTS = /[\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670]/g;

/** A name in small Latin letters and digits, whatever its script, without accents, punctuation, titles and legal forms. */
export function foldedName(name: string): string {
  // Symbols go first: any-ascii would spell them out.
  const letters = name
    .slice(0, MAX_NAME_CHARACTERS)
    .normalize('NFC')
    .replaceAll(POINTS, '')
    .replaceAll(/[^\p{L}\p{M}\p{N}’'`´]+/gu, ' ');
  const words = anyAscii(Array.from(letters, (letter) => LETTERS[letter] ?? letter).join(''))
    .toLowerCase()
    .replaceAll(/['`]/g, '')
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
  const telling = words.filter((word) => !TITLES.has(word) && !LEGAL_FORMS.has(word));
  return (telling.length > 0 ? telling : words).slice(0, MAX_WORDS).join(' ');
}

/** 0 (nothing in common) to 1 (the same name), of two names as `foldedName` answers them. */
export function nameSimilarity(a: string, b: string): number {
  if (a === '' || b === '') return 0;
  if (a === b) return 1;
  const left = a.split(' ');
  const right = b.split(' ');
  const [few, many] = left.length <= right.length ? [left, right] : [right, left];
  const pairs = few
    .flatMap((word, i) => many.map((other, j) => ({ i, j, score: wordSimilarity(word, other) })))
    .sort((x, y) => y.score - x.score);
  const usedFew = new Set<number>();
  const usedMany = new Set<number>();
  let weight = 0;
  let sum = 0;
  for (const pair of pairs) {
    if (usedFew.has(pair.i) || usedMany.has(pair.j)) continue;
    usedFew.add(pair.i);
    usedMany.add(pair.j);
    const length = Math.max((few[pair.i] ?? '').length, (many[pair.j] ?? '').length);
    weight += length;
    sum += length * pair.score;
  }
  // A middle name that has no partner weighs a fifth; a single word against a whole name says much less.
  const alone = many.reduce((total, word, index) => (usedMany.has(index) ? total : total + word.length), 0);
  const words = sum / (weight + alone / (few.length > 1 ? 5 : 2));
  // Words run together or apart: 'Abdul Rahman' and 'Abdulrahman'.
  const joined = jaroWinkler(left.toSorted().join(''), right.toSorted().join(''));
  const spaced = jaroWinkler(left.join(''), right.join(''));
  return Math.min(0.999, Math.max(words, joined * 0.97, spaced * 0.98));
}

/** An initial stands for any word that begins with it, though not surely. */
function wordSimilarity(a: string, b: string): number {
  if (a === b) return 1;
  if (a.length === 1 || b.length === 1) return a.charAt(0) === b.charAt(0) ? 0.8 : 0;
  const score = jaroWinkler(a, b);
  return score < 0.6 ? 0 : score;
}

/** Jaro-Winkler similarity (Winkler 1990), prefix scale 0.1 over four letters. */
export function jaroWinkler(a: string, b: string): number {
  if (a === b) return a === '' ? 0 : 1;
  const window = Math.max(0, Math.floor(Math.max(a.length, b.length) / 2) - 1);
  const taken = new Array<boolean>(b.length).fill(false);
  const matchedA: string[] = [];
  for (let i = 0; i < a.length; i += 1) {
    for (let j = Math.max(0, i - window); j < Math.min(b.length, i + window + 1); j += 1) {
      if (taken[j] === true || a.charAt(i) !== b.charAt(j)) continue;
      taken[j] = true;
      matchedA.push(a.charAt(i));
      break;
    }
  }
  const matches = matchedA.length;
  if (matches === 0) return 0;
  const matchedB =
    Array.from(b).length === b.length ? [...b].filter((_, index) => taken[index]) : b.split('').filter((_, index) => taken[index]);
  const transpositions = matchedA.filter((letter, index) => letter !== matchedB[index]).length / 2;
  const jaro = (matches / a.length + matches / b.length + (matches - transpositions) / matches) / 3;
  let prefix = 0;
  while (prefix < 4 && prefix < a.length && a.charAt(prefix) === b.charAt(prefix)) prefix += 1;
  return jaro + prefix * 0.1 * (1 - jaro);
}
