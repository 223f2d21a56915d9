import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { Badge } from '#app/components/ui/badge.tsx';
import type { Dependents as LoadedDependents } from '#app/engine/workflows/load-dependents.ts';

type Props = { dependents: LoadedDependents; workflow: string; before: string | null; number: string };

/** Runs, triggers and workflows that use version `number` in place of `before` as soon as it is in force. */
export function Affected({ dependents: { triggers, callers, openRuns }, workflow, before, number }: Props) {
  const { t } = useTranslation('workflows');
  const format = useFormats();
  return (
    <div className="grid gap-5">
      <ul className="grid max-w-measure list-disc gap-1 ps-5">
        <li>{t('publish.newRuns', { number })}</li>
        {openRuns > 0 && (
          <li>
            <Link to={`${href('/dashboard/runs')}?workflow=${workflow}`} className="text-link">
              {t('publish.openRuns', { number: format.number(openRuns) })}
            </Link>
          </li>
        )}
        {before !== null && <li>{t('publish.kept', { number: before })}</li>}
      </ul>
      <Dependents title={t('publish.triggers')} none={t('publish.noTriggers')}>
        {triggers.map(({ id, name, kind }) => (
          <li key={id} className="flex flex-wrap items-center gap-2">
            <bdi>{name}</bdi>
            <Badge>{t(kind === 'schedule' ? 'publish.schedule' : 'publish.webhook')}</Badge>
          </li>
        ))}
      </Dependents>
      <Dependents title={t('publish.callers')} none={t('publish.noCallers')}>
        {callers.map(({ id, name }) => (
          <li key={id}>
            <Link to={href('/dashboard/workflows/:workflow', { workflow: id })} className="text-link">
              <bdi>{name}</bdi>
            </Link>
          </li>
        ))}
      </Dependents>
    </div>
  );
}

function Dependents({ title, none, children }: { title: string; none: string; children: ReactNode[] }) {
  return (
    <div>
      <h3 className="text-sm font-semibold">{title}</h3>
      {children.length === 0 ? <p className="text-sm text-muted">{none}</p> : <ul className="mt-1 grid gap-1">{children}</ul>}
    </div>
  );
}
