import { type ReactNode, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { href } from 'react-router';
import { useDeskChanges } from '#app/components/live/use-desk-changes.ts';
import { useHeld } from '#app/components/live/use-held.ts';
import { EmptyState } from '#app/components/page/empty-state.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { DeferredPanel } from '#app/components/page/panel.tsx';
import { Button, ButtonLink } from '#app/components/ui/button.tsx';
import type { Below, DashboardHomeData } from '#app/features/dashboard/load-dashboard-home.server.ts';
import { FirstDaySteps } from '#app/features/dashboard/panels/first-day.tsx';
import { FourteenDays } from '#app/features/dashboard/panels/fourteen-days.tsx';
import { HealthPanel } from '#app/features/dashboard/panels/health.tsx';
import { Changes, Drafts, Errors, NewestRuns } from '#app/features/dashboard/panels/lists.tsx';
import { MyRuns } from '#app/features/dashboard/panels/my-runs.tsx';
import { SinceLastVisit } from '#app/features/dashboard/panels/since.tsx';
import { WaitingForMe } from '#app/features/dashboard/panels/waiting-for-me.tsx';
import type { PanelName, PanelSide } from '#app/features/dashboard/panels.ts';

/** The first screen after signing in: my work at the start, what happens at the end of the line, each as its reader has put it. */
export function DashboardHome({ home: latest }: { home: DashboardHomeData }) {
  const { t } = useTranslation('dashboard');
  const area = useRef<HTMLDivElement>(null);
  useDeskChanges(latest.mark);
  const { drawn, waiting, show } = useHeld(latest, area);
  // Figures and the state of the system stand still and hold nothing to press but their link: they follow at once.
  const home = { ...drawn, days: drawn.days && latest.days, health: drawn.health && latest.health };
  const side = (of: PanelSide) =>
    home.panels.filter((panel) => panel.side === of).map(({ name }) => <PanelOf key={name} name={name} home={home} />);
  return (
    <PageFrame
      title={t('title')}
      description={t('welcome', { name: home.name })}
      wide
      actions={
        <>
          {/* Always takes its place, so that nothing moves when it appears. */}
          <span role="status" className="sr-only">
            {waiting ? t('live.waiting') : ''}
          </span>
          <Button type="button" variant="quiet" onClick={show} className={`max-sm:order-last ${waiting ? '' : 'invisible'}`}>
            {t('live.show')}
          </Button>
          <ButtonLink to={href('/dashboard/arrange')}>{t('arrange.open')}</ButtonLink>
          {home.builds ? (
            <ButtonLink to={href('/dashboard/workflows/new')} variant="primary">
              {t('newWorkflow')}
            </ButtonLink>
          ) : null}
        </>
      }
    >
      {home.panels.length === 0 ? (
        <EmptyState title={t('arrange.nothing')} action={<ButtonLink to={href('/dashboard/arrange')}>{t('arrange.title')}</ButtonLink>} />
      ) : (
        <div ref={area} className="grid items-start gap-x-10 gap-y-10 xl:grid-cols-2">
          <Side>{side('start')}</Side>
          <Side>{side('end')}</Side>
        </div>
      )}
    </PageFrame>
  );
}

const Side = ({ children }: { children: ReactNode }) => <div className="min-w-0 empty:hidden">{children}</div>;

function PanelOf({ name, home }: { name: PanelName; home: DashboardHomeData }) {
  switch (name) {
    case 'firstDay':
      return home.firstDay === null ? null : <FirstDaySteps home={home} done={home.firstDay} />;
    case 'waiting':
      return home.waiting === null ? null : <WaitingForMe waiting={home.waiting} decides={home.decides} />;
    case 'myRuns':
      return home.myRuns === null ? null : <MyRuns runs={home.myRuns} builds={home.builds} />;
    case 'drafts':
      return home.drafts === null ? null : <Drafts drafts={home.drafts} builds={home.builds} />;
    case 'newest':
      return home.newest === null ? null : <NewestRuns runs={home.newest} />;
    case 'errors':
      return <Later panel={home.errors}>{(groups) => <Errors groups={groups} />}</Later>;
    case 'since':
      return <Later panel={home.since}>{(since) => <SinceLastVisit since={since} />}</Later>;
    case 'days':
      return <Later panel={home.days}>{(days) => <FourteenDays days={days} />}</Later>;
    case 'changes':
      return <Later panel={home.changes}>{(changes) => <Changes changes={changes} />}</Later>;
    case 'health':
      return <Later panel={home.health}>{(health) => <HealthPanel health={health} />}</Later>;
  }
}

function Later<T>({ panel, children }: { panel: Below<T>; children: (value: T) => ReactNode }) {
  return panel === null ? null : <DeferredPanel data={panel.data}>{children}</DeferredPanel>;
}
