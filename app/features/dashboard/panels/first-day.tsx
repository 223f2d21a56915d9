import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { CommandForm } from '#app/components/form/command-form.tsx';
import { Section } from '#app/components/page/section.tsx';
import { useNamed } from '#app/components/text/named.ts';
import { Button } from '#app/components/ui/button.tsx';
import type { DashboardHomeData } from '#app/features/dashboard/load-dashboard-home.server.ts';
import type { FirstDay } from '#app/features/dashboard/read/read-work.server.ts';
import Circle from '~icons/circle';
import CircleCheck from '~icons/circle-check';
import X from '~icons/x';

/** The first day of a workspace as a list; finished steps stay in sight until all are done, or until someone closes their list. */
export function FirstDaySteps({ home, done }: { home: DashboardHomeData; done: FirstDay }) {
  const { t } = useTranslation('dashboard');
  const named = useNamed();
  const all: { step: keyof FirstDay; to: string; shown: boolean }[] = [
    { step: 'tool', to: href('/dashboard/plugins/new'), shown: home.builds },
    { step: 'agent', to: href('/dashboard/agents/new'), shown: home.builds },
    { step: 'workflow', to: href('/dashboard/workflows/new'), shown: home.builds },
    { step: 'run', to: href('/dashboard/workflows'), shown: true },
    { step: 'colleague', to: href('/dashboard/admin/members/invite'), shown: home.managesMembers },
  ];
  const steps = all.filter(({ shown }) => shown);
  if (steps.every(({ step }) => done[step])) return null;
  return (
    <Section
      title={t('steps.title')}
      description={t('steps.text')}
      actions={
        <CommandForm action={href('/dashboard/arrange')} hidden={{ hide: 'firstDay' }}>
          <Button size="small" variant="quiet" aria-label={named(t('steps.close'), t('steps.title'))}>
            <X aria-hidden="true" />
            {t('steps.close')}
          </Button>
        </CommandForm>
      }
    >
      <ol className="grid gap-px overflow-hidden rounded-lg border border-line bg-line">
        {steps.map(({ step, to }) => (
          <li key={step} className="flex gap-3 bg-surface p-4">
            {done[step] ? (
              <CircleCheck aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-ok-ink" />
            ) : (
              <Circle aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-edge" />
            )}
            <div>
              <p className="font-semibold">
                {done[step] ? (
                  <>
                    {t(`steps.${step}`)} <span className="font-normal text-muted">{t('steps.done')}</span>
                  </>
                ) : (
                  <Link to={to} className="text-link">
                    {t(`steps.${step}`)}
                  </Link>
                )}
              </p>
              <p className="mt-0.5 text-sm text-muted">{t(`steps.${step}Text`)}</p>
            </div>
          </li>
        ))}
      </ol>
    </Section>
  );
}
