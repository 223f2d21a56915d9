import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { href, Link, useRevalidator } from 'react-router';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { StatusWord } from '#app/components/data/status-word.tsx';
import { AppForm } from '#app/components/form/app-form.tsx';
import { SelectField } from '#app/components/form/choice-fields.tsx';
import { CommandForm } from '#app/components/form/command-form.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { type FormResult, useAppForm } from '#app/components/form/use-app-form.ts';
import { Notice } from '#app/components/page/notice.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { Section } from '#app/components/page/section.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { ButtonLink } from '#app/components/ui/button.tsx';
import { REPLAY_DAYS } from '#app/domain/audit/replay.ts';
import type { LoadedReplay } from '#app/features/policies/replay/load-replay.server.ts';
import type { ShownReplay } from '#app/features/policies/replay/read-replay.server.ts';
import { ReplayResult } from '#app/features/policies/replay/replay-result.tsx';
import { replaySchema } from '#app/features/policies/replay/replay-schema.ts';

/** How often the page of a replay under way is read again. */
const LOOK_MS = 1_000;
const isOpen = ({ status }: { status: ShownReplay['status'] }) => status === 'pending' || status === 'processing';

/** The decisions of past runs made again as if a text had been in force: asked for, under way, and what came of it. */
export function ReplayPage({ replay, lastResult }: { replay: LoadedReplay; lastResult: FormResult | undefined }) {
  const { t } = useTranslation('policies');
  const { shown } = replay;
  return (
    <PageFrame
      title={t('replay.title', { name: replay.name })}
      description={replay.isDraft ? t('replay.textDraft') : t('replay.textPublished')}
      breadcrumbs={[
        { label: t('list.title'), to: href('/dashboard/policies') },
        { label: replay.name, to: href('/dashboard/policies/:policy', { policy: replay.id }) },
      ]}
    >
      <div className="grid gap-8">
        {replay.isValid ? (
          <StartForm lastResult={lastResult} />
        ) : (
          <Notice kind="attention" title={t('replay.invalid')}>
            <ButtonLink to={href('/dashboard/policies/:policy/edit', { policy: replay.id })}>{t('detail.edit')}</ButtonLink>
          </Notice>
        )}
        {shown === null ? null : (
          <div className="grid gap-6">
            {replay.isOther ? <Notice kind="attention" title={t('replay.other')} /> : null}
            {isOpen(shown) ? <Progress replay={shown} url={replay.url} mayCancel={replay.mayCancel} /> : null}
            {shown.status === 'failed' ? <Notice kind="danger" title={t('replay.failed')} /> : null}
            {shown.status === 'cancelled' ? <Notice kind="info" title={t('replay.cancelled')} /> : null}
            <ReplayResult replay={shown} changes={replay.changes} url={replay.url} next={replay.next} />
          </div>
        )}
        {replay.replays.length < 2 ? null : <EarlierReplays replay={replay} />}
      </div>
    </PageFrame>
  );
}

function StartForm({ lastResult }: { lastResult: FormResult | undefined }) {
  const { t } = useTranslation('policies');
  const { form, fields } = useAppForm(replaySchema, { lastResult, defaultValue: { days: String(REPLAY_DAYS.at(-1)) } });
  return (
    <AppForm form={form} className="flex flex-wrap items-end gap-3">
      <SelectField
        field={fields.days}
        label={t('replay.period')}
        options={REPLAY_DAYS.map((days) => ({ value: String(days), label: t('replay.days', { count: days }) }))}
      />
      <SubmitButton name="intent" value="start" busyLabel={t('replay.starting')}>
        {t('replay.start')}
      </SubmitButton>
    </AppForm>
  );
}

function Progress({ replay, url, mayCancel }: { replay: ShownReplay; url: string; mayCancel: boolean }) {
  const { t } = useTranslation('policies');
  const { number } = useFormats();
  const { revalidate } = useRevalidator();
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void revalidate();
    }, LOOK_MS);
    return () => clearInterval(timer);
  }, [revalidate]);
  const words =
    replay.status === 'pending' ? t('replay.waits') : t('replay.looked', { runs: number(replay.runs), total: number(replay.totalRuns) });
  return (
    <Section title={t('replay.underWay')}>
      <div className="grid gap-3">
        <progress
          className="h-2 w-full max-w-xl accent-accent"
          aria-label={t('replay.underWay')}
          max={Math.max(1, replay.totalRuns)}
          value={replay.runs}
        />
        <p>{words}</p>
        <div className="flex flex-wrap gap-3">
          <ButtonLink variant="secondary" to={url}>
            {t('replay.refresh')}
          </ButtonLink>
          {mayCancel ? (
            <CommandForm hidden={{ replay: replay.id }}>
              <SubmitButton variant="secondary" name="intent" value="cancel">
                {t('replay.cancel')}
              </SubmitButton>
            </CommandForm>
          ) : null}
        </div>
      </div>
    </Section>
  );
}

function EarlierReplays({ replay }: { replay: LoadedReplay }) {
  const { t } = useTranslation('policies');
  const page = href('/dashboard/policies/:policy/replay', { policy: replay.id });
  return (
    <Section title={t('replay.all')} description={t('replay.allText')}>
      <ul className="grid gap-2">
        {replay.replays.map(({ id, requestedAt, status }) => (
          <li key={id} className="flex flex-wrap items-center gap-3">
            <Link className="text-link py-0.5" to={`${page}?of=${id}`} aria-current={id === replay.shown?.id ? 'true' : undefined}>
              <RelativeTime at={requestedAt} />
            </Link>
            <StatusWord status={status} />
          </li>
        ))}
      </ul>
    </Section>
  );
}
