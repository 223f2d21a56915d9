import { useTranslation } from 'react-i18next';
import { Form, href } from 'react-router';
import { CONTROL } from '#app/components/form/field-parts.tsx';
import { Notice } from '#app/components/page/notice.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { Button, ButtonLink } from '#app/components/ui/button.tsx';
import type { LoadedReplay } from '#app/features/policies/replay/load-replay.server.ts';
import { ReplayOutcome } from '#app/features/policies/replay/replay-outcome.tsx';
import { REPLAY_RUNS } from '#app/features/policies/replay/replay-runs.ts';

/** The changes that a draft would have made to the latest runs. Nothing is executed for it. */
export function ReplayPage({ replay }: { replay: LoadedReplay }) {
  const { t } = useTranslation('policies');
  const base = href('/dashboard/policies/:policy', { policy: replay.id });
  return (
    <PageFrame
      title={t('replay.title', { name: replay.name })}
      description={replay.isDraft ? t('replay.textDraft') : t('replay.textPublished')}
      breadcrumbs={[
        { label: t('list.title'), to: href('/dashboard/policies') },
        { label: replay.name, to: base },
      ]}
    >
      <Form method="get" className="mb-6 flex flex-wrap items-end gap-3">
        <label className="grid gap-1">
          <span className="text-sm text-muted">{t('replay.runs')}</span>
          <select name="runs" defaultValue={String(replay.runs)} className={`${CONTROL} min-h-11`}>
            {REPLAY_RUNS.map((count) => (
              <option key={count} value={count}>
                {t('replay.last', { count })}
              </option>
            ))}
          </select>
        </label>
        <Button type="submit">{t('replay.again')}</Button>
      </Form>
      {replay.valid ? (
        <ReplayOutcome replay={replay} />
      ) : (
        <Notice kind="attention" title={t('replay.invalid')}>
          <ButtonLink to={href('/dashboard/policies/:policy/edit', { policy: replay.id })}>{t('detail.edit')}</ButtonLink>
        </Notice>
      )}
    </PageFrame>
  );
}
