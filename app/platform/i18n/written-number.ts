const formats = new Map<string, Intl.NumberFormat>();

/** A number as the language writes it, with every digit that it has; a code that is no amount is given as text. */
export function writtenNumber(value: number, language: string): string {
  const format = formats.get(language) ?? new Intl.NumberFormat(language, { maximumFractionDigits: 20 });
  formats.set(language, format);
  return format.format(value);
}
