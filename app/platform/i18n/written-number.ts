const formats = new Map<string, Intl.NumberFormat>();

/** Below it no language of ours groups digits, and all six write the same ones. */
const GROUPED = 1000;

/** A number as the language writes it, with every digit that it has; a code that is no amount is given as text. */
export function writtenNumber(value: number, language: string): string {
  // A browser's first format reads its tables, some 25 ms of a phone while the page comes to life, for "slide 3 of 5".
  if (Number.isInteger(value) && value >= 0 && value < GROUPED) return String(value);
  const format = formats.get(language) ?? new Intl.NumberFormat(language, { maximumFractionDigits: 20 });
  formats.set(language, format);
  return format.format(value);
}
