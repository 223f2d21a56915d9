/** One figure of a family, with the labels that tell it from the others. `of`: of a histogram, which of its series. */
export type Sample = { value: number; labels?: Readonly<Record<string, string>>; of?: 'bucket' | 'sum' | 'count' };
/** Figures of one kind by one name, in the base units of Prometheus: seconds, bytes. */
export type Family = { name: string; help: string; type: 'counter' | 'gauge' | 'histogram'; samples: readonly Sample[] };

export const EXPOSITION_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

const escaped = (text: string) => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');

function line(name: string, { value, labels = {}, of }: Sample): string {
  const named = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text).replaceAll('"', '\\"')}"`);
  const written = value === Number.POSITIVE_INFINITY ? '+Inf' : String(value);
  return `${name}${of === undefined ? '' : `_${of}`}${named.length === 0 ? '' : `{${named.join(',')}}`} ${written}\n`;
}

/** Writes families as Prometheus reads them (text format 0.0.4). A family without samples is left out. */
export function writeExposition(families: readonly Family[]): string {
  return families
    .filter(({ samples }) => samples.length > 0)
    .map(
      ({ name, help, type, samples }) =>
        `# HELP ${name} ${escaped(help)}\n# TYPE ${name} ${type}\n${samples.map((sample) => line(name, sample)).join('')}`,
    )
    .join('');
}
