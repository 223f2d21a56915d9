import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { EmptyPart } from '#app/components/page/empty-state.tsx';
import { Section } from '#app/components/page/section.tsx';
import { useActionWords } from '#app/components/text/action-words.ts';
import { useFormats } from '#app/components/text/locale-context.tsx';
import type { Since } from '#app/features/dashboard/read/read-happening.server.ts';

/** Counts of what has happened while the reader was away, and since when they count. */
export function SinceLastVisit({ since }: { since: Since }) {
  const { t } = useTranslation('dashboard');
  const words = useActionWords();
  const format = useFormats();
  if (since.at === null)
    return (
      <Section title={t('since.title')}>
        <p className="text-muted">{t('since.first')}</p>
      </Section>
    );
  const count = (number: number) => (number >= since.most ? t('since.atLeast', { number: format.number(number) }) : format.number(number));
  const from = since.at.slice(0, 10);
  const counts = [
    { key: 'runs', label: t('since.runs'), number: since.runs, to: `${href('/dashboard/runs')}?${new URLSearchParams({ from })}` },
    {
      key: 'failed',
      label: t('since.failed'),
      number: since.failed,
      to: `${href('/dashboard/runs')}?${new URLSearchParams({ status: 'failed', from })}`,
    },
    ...(since.actions ?? []).map(({ action, count: number }) => ({
      key: action,
      label: words(action),
      number,
      to: `${href('/dashboard/audit')}?${new URLSearchParams({ action, from })}`,
    })),
  ].filter(({ number }) => number > 0);
  return (
    <Section
      title={t('since.title')}
      description={
        <p>
          {t('since.from')} <RelativeTime at={since.at} exact />
        </p>
      }
    >
      {counts.length === 0 ? (
        <EmptyPart
          title={t('since.nothing')}
          action={
            <Link to={href('/dashboard/runs')} className="text-link inline-block py-0.5">
              {t('runs.all')}
            </Link>
          }
        />
      ) : (
        <ul className="divide-y divide-line rounded-lg border border-line bg-surface text-sm">
          {counts.map(({ key, label, number, to }) => (
            <li key={key} className="flex min-h-(--row) items-center justify-between gap-4 px-4">
              <Link to={to} className="text-link inline-block py-0.5">
                {label}
              </Link>
              <span className="font-semibold tabular-nums">{count(number)}</span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
