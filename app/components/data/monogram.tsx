const TONES = ['bg-accent-soft text-accent', 'bg-info text-info-ink', 'bg-ok text-ok-ink', 'bg-attention text-attention-ink'] as const;

/** Stands in for a logo: no picture is fetched from anyone. Its letters and colour are the same wherever the name stands. */
export function Monogram({ name, size = 'size-10 text-sm' }: { name: string; size?: string }) {
  const letters = [...name.matchAll(/[\p{L}\p{N}]+/gu)].slice(0, 2).map(([word]) => [...word][0] ?? '');
  const sum = [...name].reduce((all, letter) => all + (letter.codePointAt(0) ?? 0), 0);
  return (
    <span
      aria-hidden="true"
      dir="ltr"
      className={`grid shrink-0 place-items-center rounded-md border border-line font-semibold ${size} ${TONES[sum % TONES.length]}`}
    >
      {letters.join('').toUpperCase() || '·'}
    </span>
  );
}
