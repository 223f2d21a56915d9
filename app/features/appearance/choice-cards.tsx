import type { ReactNode } from 'react';
import { Form, useLocation } from 'react-router';
import { useLooksForm } from '#app/components/look/looks-provider.tsx';
import Check from '~icons/check';

type Choice = { value: string; label: string; preview: ReactNode };

/** A few looks, each shown in small: pressing one applies it. */
export function ChoiceCards({ name, label, choices }: { name: 'theme' | 'density'; label: string; choices: readonly Choice[] }) {
  const { pathname } = useLocation();
  const { looks, onSubmit } = useLooksForm();
  return (
    <Form method="post" action="/preferences/appearance" preventScrollReset aria-label={label} onSubmit={onSubmit}>
      <input type="hidden" name="next" value={pathname} />
      <ul className="grid max-w-2xl grid-cols-2 gap-3 sm:grid-cols-3 sm:gap-4">
        {choices.map((choice) => (
          <li key={choice.value}>
            <button
              type="submit"
              name={name}
              value={choice.value}
              aria-pressed={choice.value === looks?.[name]}
              className="group block w-full rounded-lg border border-edge bg-surface p-2 text-start hover:bg-raised aria-pressed:border-accent aria-pressed:outline-2 aria-pressed:-outline-offset-1 aria-pressed:outline-accent"
            >
              <span aria-hidden="true" data-decorative="" className="block overflow-hidden rounded-md border border-line">
                {choice.preview}
              </span>
              <span className="flex min-h-9 items-center justify-between gap-2 px-1 pt-1.5 text-sm font-semibold group-aria-pressed:text-accent">
                {choice.label}
                <Check aria-hidden="true" className="hidden size-4 shrink-0 group-aria-pressed:block" strokeWidth={2.5} />
              </span>
            </button>
          </li>
        ))}
      </ul>
    </Form>
  );
}

/** A page in small, in one scheme or half in each: the tokens follow the scheme of the element they are used in. */
export function ThemePreview({ schemes }: { schemes: readonly ('light' | 'dark')[] }) {
  return (
    <span className="flex h-20">
      {schemes.map((scheme) => (
        <span key={scheme} data-scheme={scheme} className="flex min-w-0 flex-1 bg-paper">
          <span className="flex w-1/4 flex-col gap-1.5 border-e border-line bg-surface p-2">
            <span className="block h-1.5 rounded-full bg-accent" />
            <span className="block h-1.5 rounded-full bg-line" />
            <span className="block h-1.5 rounded-full bg-line" />
          </span>
          <span className="flex min-w-0 flex-1 flex-col gap-1.5 p-2">
            <span className="block h-2 w-1/2 rounded-full bg-ink" />
            <span className="block h-1.5 w-5/6 rounded-full bg-muted" />
            <span className="mt-auto block h-4 w-8 rounded-sm bg-accent" />
          </span>
        </span>
      ))}
    </span>
  );
}

/** The same height filled by fewer or more rows. */
export function DensityPreview({ rows }: { rows: number }) {
  return (
    <span className="flex h-20 flex-col bg-surface">
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place
        <span key={row} className="flex flex-1 items-center gap-3 border-b border-line px-2 last:border-b-0">
          <span className="h-1.5 w-1/3 rounded-full bg-muted" />
          <span className="h-1.5 flex-1 rounded-full bg-line" />
        </span>
      ))}
    </span>
  );
}
