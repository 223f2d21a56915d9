import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { DescriptionList } from '#app/components/page/description-list.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { DrawnValueView } from '#app/components/value/drawn-value-view.tsx';
import { PanelPart } from '#app/features/runs/panel/panel-part.tsx';
import type { ShownRun } from '#app/features/runs/shown-run.server.ts';
import { StepFile } from '#app/features/runs/step-file.tsx';
import { type TracePlace, valueAddresses } from '#app/features/runs/trace/trace-place.ts';
import { usageFacts } from '#app/features/runs/usage-facts.ts';
import { valueAddress } from '#app/features/runs/value-address.ts';

type Props = { run: ShownRun; place: TracePlace; base: string; mayAuthor: boolean; proof: ReactNode };

/** The whole run: its result, its input, facts and proof. */
export function RunPanel({ run, place, base, mayAuthor, proof }: Props) {
  const { t } = useTranslation('runs');
  const { values, workflow } = run;
  const maySample = mayAuthor && !workflow.deleted && !workflow.inspection && !workflow.agent && !workflow.gateway;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <div>
        <h2 className="text-lg leading-snug font-semibold">{t('panel.run')}</h2>
        <p className="mt-1 text-sm text-muted">{t('panel.hint')}</p>
      </div>
      {values !== null && values.output !== null && (
        <PanelPart title={t('run.result')}>
          {values.file !== null && <StepFile file={values.file} kept={run.trial !== 'dry'} />}
          <DrawnValueView
            value={values.output}
            label={t('run.result')}
            file={valueAddress(run.id, 'output')}
            {...valueAddresses(base, place, 'output')}
          />
        </PanelPart>
      )}
      {values !== null && values.input !== null && (
        <PanelPart title={t('run.input')} actions={maySample && <SampleLink run={run} />}>
          <DrawnValueView
            value={values.input}
            label={t('run.input')}
            file={valueAddress(run.id, 'input')}
            {...valueAddresses(base, place, 'input')}
          />
        </PanelPart>
      )}
      <RunFacts run={run} />
      {proof}
    </div>
  );
}

function SampleLink({ run }: { run: ShownRun }) {
  const { t } = useTranslation('runs');
  const samples = href('/dashboard/workflows/:workflow/edit/samples', { workflow: run.workflow.id });
  return (
    <Link to={`${samples}?run=${run.id}`} className="text-link py-0.5 text-sm">
      {t('run.keepSample')}
    </Link>
  );
}

function RunFacts({ run }: { run: ShownRun }) {
  const { t } = useTranslation('runs');
  const format = useFormats();
  const number = run.version;
  return (
    <DescriptionList
      narrow
      items={[
        { term: t('run.version'), description: number === null ? t('run.draft') : t('run.versionNumber', { number }) },
        { term: t('run.initiator'), description: <bdi>{run.initiator ?? t('run.formerMember')}</bdi> },
        { term: t('run.started'), description: <RelativeTime at={run.createdAt} /> },
        ...(run.finishedAt === null ? [] : [{ term: t('run.finished'), description: <RelativeTime at={run.finishedAt} /> }]),
        ...(run.activeMs === null ? [] : [{ term: t('run.active'), description: format.duration(run.activeMs) }]),
        ...(run.waitingMs > 0 ? [{ term: t('run.waited'), description: format.duration(run.waitingMs) }] : []),
        ...usageFacts(t, format, run.usage),
        ...(run.caller === null ? [] : [{ term: t('run.caller'), description: <OtherRun id={run.caller} /> }]),
        ...(run.from === null ? [] : [{ term: t('run.from'), description: <OtherRun id={run.from} /> }]),
      ]}
    />
  );
}

const OtherRun = ({ id }: { id: string }) => (
  <Link to={href('/dashboard/runs/:run', { run: id })} className="text-link wrap-anywhere">
    <code>{id}</code>
  </Link>
);
