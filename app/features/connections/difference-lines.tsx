import type { DifferenceLine } from '#app/features/connections/definition-difference.ts';

const MARKS: Record<DifferenceLine['kind'], string> = { same: ' ', gone: '−', new: '+' };

/** Two texts line by line; the difference is marked by sign and element, not by colour alone. */
export function DifferenceLines({ label, lines }: { label: string; lines: readonly DifferenceLine[] }) {
  return (
    <div>
      <p className="mb-1 text-sm font-semibold">{label}</p>
      <section
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: without it a keyboard cannot scroll the region (WCAG 2.1.1)
        tabIndex={0}
        className="max-h-96 overflow-auto rounded-md border border-line bg-raised"
      >
        <pre dir="ltr" className="p-3 text-start font-mono text-sm leading-relaxed">
          {lines.map((line, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines repeat and never move
            <Line key={index} line={line} />
          ))}
        </pre>
      </section>
    </div>
  );
}

function Line({ line }: { line: DifferenceLine }) {
  const text = `${MARKS[line.kind]} ${line.text}\n`;
  if (line.kind === 'gone') return <del className="bg-danger text-danger-ink no-underline">{text}</del>;
  if (line.kind === 'new') return <ins className="bg-ok text-ok-ink no-underline">{text}</ins>;
  return <span>{text}</span>;
}
