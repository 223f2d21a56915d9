const SIZES = { small: { pixels: 32, className: 'size-8 text-xs' }, large: { pixels: 96, className: 'size-24 text-3xl' } } as const;

/** A person's picture, or their initials. It says nothing that the name beside it does not, so it is not read out. */
export function Avatar({ name, picture, size = 'small' }: { name: string; picture: string | null; size?: keyof typeof SIZES }) {
  const { pixels, className } = SIZES[size];
  if (picture !== null) {
    return (
      <img
        src={picture}
        alt=""
        width={pixels}
        height={pixels}
        decoding="async"
        className={`${className} shrink-0 rounded-full border border-edge bg-surface object-cover`}
      />
    );
  }
  return (
    <span
      aria-hidden="true"
      className={`${className} grid shrink-0 place-items-center rounded-full border border-edge bg-surface font-semibold`}
    >
      {initialsOf(name)}
    </span>
  );
}

/** First letters of the first and the last word. */
function initialsOf(name: string): string {
  return name
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => [...word][0] ?? '')
    .filter((_, index, all) => index === 0 || index === all.length - 1)
    .join('')
    .toUpperCase();
}
