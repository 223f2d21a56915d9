import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { StatusWord } from '#app/components/data/status-word.tsx';
import { CommandForm } from '#app/components/form/command-form.tsx';
import { DescriptionList } from '#app/components/page/description-list.tsx';
import { EmptyState } from '#app/components/page/empty-state.tsx';
import { Notice } from '#app/components/page/notice.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { Button, ButtonLink } from '#app/components/ui/button.tsx';
import { Card } from '#app/components/ui/card.tsx';
import { CopiedCode } from '#app/components/value/copy/copied-code.tsx';
import type { TriggerRow } from '#app/features/triggers/load-triggers.server.ts';

/** Schedules and webhooks, with their next times and the result of the last. */
export function TriggersPage({ triggers }: { triggers: readonly TriggerRow[] }) {
  const { t } = useTranslation('triggers');
  const actions = (
    <>
      <ButtonLink to={href('/dashboard/workflows/advanced/new-webhook')}>{t('newWebhook')}</ButtonLink>
      <ButtonLink to={href('/dashboard/workflows/advanced/new-schedule')} variant="primary">
        {t('newSchedule')}
      </ButtonLink>
    </>
  );
  return (
    <PageFrame
      title={t('title')}
      description={t('description')}
      breadcrumbs={[{ label: t('workflows'), to: href('/dashboard/workflows') }]}
      actions={actions}
    >
      {triggers.length === 0 ? (
        <EmptyState title={t('empty')} description={t('emptyHint')} />
      ) : (
        <ul className="grid grid-cols-1 gap-4">
          {triggers.map((trigger) => (
            <li key={trigger.id}>
              <TriggerCard trigger={trigger} />
            </li>
          ))}
        </ul>
      )}
    </PageFrame>
  );
}

function TriggerCard({ trigger }: { trigger: TriggerRow }) {
  const { t } = useTranslation('triggers');
  return (
    <Card>
      <div className="mb-3 flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          <h2 className="text-lg font-semibold">
            <bdi>{trigger.name}</bdi>
          </h2>
          <p className="text-sm text-muted">{t(`kind.${trigger.kind}`)}</p>
        </div>
        <div className="flex flex-wrap items-center gap-2">
          <CommandForm hidden={{ intent: trigger.enabled ? 'pause' : 'resume', trigger: trigger.id }}>
            <Button size="small" aria-label={t(trigger.enabled ? 'pauseOf' : 'resumeOf', { name: trigger.name })}>
              {trigger.enabled ? t('pause') : t('resume')}
            </Button>
          </CommandForm>
          <ButtonLink
            size="small"
            variant="quiet"
            to={href('/dashboard/workflows/advanced/:trigger/delete', { trigger: trigger.id })}
            aria-label={t('deleteOf', { name: trigger.name })}
          >
            {t('delete')}
          </ButtonLink>
        </div>
      </div>
      <Warnings trigger={trigger} />
      <Facts trigger={trigger} />
    </Card>
  );
}

function Warnings({ trigger }: { trigger: TriggerRow }) {
  const { t } = useTranslation('triggers');
  if (trigger.publisher === null) return <Notice kind="attention" title={t('noPublisher')} />;
  return trigger.workflow.active ? null : <Notice kind="info" title={t('workflowPaused')} />;
}

function Facts({ trigger }: { trigger: TriggerRow }) {
  const { t } = useTranslation('triggers');
  const items = [
    { term: t('status'), description: <StatusWord status={trigger.enabled ? 'active' : 'inactive'} /> },
    {
      term: t('workflow'),
      description: (
        <Link to={href('/dashboard/workflows/:workflow', { workflow: trigger.workflow.id })} className="text-link">
          <bdi>{trigger.workflow.name}</bdi>
        </Link>
      ),
    },
    ...(trigger.publisher === null ? [] : [{ term: t('actsAs'), description: <bdi>{trigger.publisher}</bdi> }]),
    ...(trigger.cron === null
      ? []
      : [
          {
            term: t('cron'),
            description: (
              <>
                <code dir="ltr">{trigger.cron}</code> <span className="text-muted">({trigger.timeZone})</span>
              </>
            ),
          },
        ]),
    ...(trigger.nextTimes.length === 0 ? [] : [{ term: t('nextTimes'), description: <NextTimes trigger={trigger} /> }]),
    ...(trigger.address === null
      ? []
      : [
          {
            term: t('address'),
            description: <CopiedCode text={trigger.address} name={t('address')} />,
          },
        ]),
    { term: t('last'), description: <Last trigger={trigger} /> },
  ];
  return <DescriptionList items={items} />;
}

/** In the schedule's own zone: that is what its expression means. */
function NextTimes({ trigger }: { trigger: TriggerRow }) {
  const { i18n } = useTranslation('triggers');
  const format = new Intl.DateTimeFormat(i18n.language, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: trigger.timeZone ?? 'UTC',
  });
  return (
    <ol className="grid gap-0.5">
      {trigger.nextTimes.map((time) => (
        <li key={time}>
          <time dateTime={time}>{format.format(new Date(time))}</time>
        </li>
      ))}
    </ol>
  );
}

function Last({ trigger }: { trigger: TriggerRow }) {
  const { t } = useTranslation('triggers');
  const format = useFormats();
  if (trigger.lastAt === null) return t('never');
  if (trigger.refusal !== null) return t('refusedAt', { when: format.exactTime(trigger.lastAt), why: t(`refusal.${trigger.refusal}`) });
  if (trigger.lastRunId === null) return <RelativeTime at={trigger.lastAt} />;
  return (
    <Link to={href('/dashboard/runs/:run', { run: trigger.lastRunId })} className="text-link">
      <RelativeTime at={trigger.lastAt} />
    </Link>
  );
}
