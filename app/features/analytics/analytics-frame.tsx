import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { href } from 'react-router';
import { type ShownWindow, WindowForm } from '#app/components/data/window-form.tsx';
import { AreaLinks } from '#app/components/page/area-links.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { useNamed } from '#app/components/text/named.ts';
import { buttonClass } from '#app/components/ui/button.tsx';
import { windowQuery } from '#app/domain/runs/time-window.ts';
import Download from '~icons/download';

type Props = { title: string; description: string; path: string; window: ShownWindow; seesAll: boolean; children: ReactNode };

/** The frame of both analytics screens: scope, window, and whose runs count. */
export function AnalyticsFrame({ title, description, path, window, seesAll, children }: Props) {
  const { t } = useTranslation('analytics');
  return (
    <PageFrame
      title={title}
      description={
        <>
          <p>{description}</p>
          <p className="mt-1">{seesAll ? t('scopeAll') : t('scopeOwn')}</p>
        </>
      }
    >
      <AreaLinks
        label={t('area')}
        links={[
          { label: t('basic.link'), to: href('/dashboard/analytics') },
          { label: t('advanced.link'), to: href('/dashboard/analytics/advanced') },
        ]}
      />
      <WindowForm path={path} window={window} />
      {children}
    </PageFrame>
  );
}

export type TableName = 'time' | 'workflows' | 'agents' | 'models' | 'steps' | 'errors';

/** A plain link: downloads bypass the router. */
export function CsvLink({ table, window, of }: { table: TableName; window: ShownWindow; of: string }) {
  const named = useNamed();
  const { t } = useTranslation('analytics');
  return (
    <a
      href={`${href('/dashboard/analytics/table.csv')}?${new URLSearchParams({ table, ...windowQuery(window.choice) })}`}
      download
      aria-label={named(t('csv'), of)}
      className={buttonClass('secondary', 'small')}
    >
      <Download aria-hidden="true" />
      {t('csv')}
    </a>
  );
}
