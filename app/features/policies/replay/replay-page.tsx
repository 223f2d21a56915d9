import { useTranslation } from 'react-i18next';
import { Form, href, Link } from 'react-router';
import { DataTable } from '#app/components/data/data-table.tsx';
import { FigureList } from '#app/components/data/figures/figure-list.tsx';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { StatusWord } from '#app/components/data/status-word.tsx';
import { CONTROL } from '#app/components/form/field-parts.tsx';
import { EmptyState } from '#app/components/page/empty-state.tsx';
import { Notice } from '#app/components/page/notice.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { Section } from '#app/components/page/section.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { Button, ButtonLink } from '#app/components/ui/button.tsx';
import { ExplanationText } from '#app/components/value/explanation-text.tsx';
import type { LoadedReplay } from '#app/features/policies/replay/load-replay.server.ts';
import { REPLAY_RUNS } from '#app/features/policies/replay/replay-runs.ts';

/** The changes that a draft would have made to the latest runs. Nothing is executed for it. */
export function ReplayPage({ replay }: { replay: LoadedReplay }) {
  const { t } = useTranslation('policies');
  const formats = useFormats();
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
        <>
          <FigureList
            label={t('replay.figures')}
            items={[
              { term: t('replay.decided'), value: formats.number(replay.decided), definition: t('replay.decidedText') },
              { term: t('replay.changes'), value: formats.number(replay.changes), definition: t('replay.changesText') },
              { term: t('replay.unreadable'), value: formats.number(replay.unreadable), definition: t('replay.unreadableText') },
            ]}
          />
          <Section title={t('replay.changed')}>
            <DataTable
              caption={t('replay.changed')}
              rows={replay.changed}
              rowKey={(row) => row.id}
              empty={<EmptyState title={t('replay.same')} description={t('replay.sameText')} />}
              columns={[
                {
                  key: 'what',
                  header: t('replay.call'),
                  cell: (row) => (
                    <Link to={href('/dashboard/ai-reasoning/:decision', { decision: row.id })} className="text-link">
                      <bdi>{row.capability}</bdi>
                    </Link>
                  ),
                },
                { key: 'was', header: t('replay.was'), cell: (row) => <StatusWord status={row.was} /> },
                { key: 'would', header: t('replay.would'), cell: (row) => <StatusWord status={row.would} /> },
                {
                  key: 'reason',
                  header: t('replay.reason'),
                  cell: (row) => (
                    <span className="block min-w-64">
                      <ExplanationText explanation={row.reason} />
                    </span>
                  ),
                },
                { key: 'at', header: t('replay.at'), align: 'end', cell: (row) => <RelativeTime at={row.at} /> },
              ]}
            />
          </Section>
        </>
      ) : (
        <Notice kind="attention" title={t('replay.invalid')}>
          <ButtonLink to={href('/dashboard/policies/:policy/edit', { policy: replay.id })}>{t('detail.edit')}</ButtonLink>
        </Notice>
      )}
    </PageFrame>
  );
}
