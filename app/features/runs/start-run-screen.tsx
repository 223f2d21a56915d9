import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { href } from 'react-router';
import type { FormResult } from '#app/components/form/use-app-form.ts';
import { Notice } from '#app/components/page/notice.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { ButtonLink } from '#app/components/ui/button.tsx';
import type { Json } from '#app/contracts/json.ts';
import type { InputField } from '#app/domain/workflows/steps/input-field.ts';
import type { StartMode } from '#app/features/runs/start-mode.ts';
import { StartRunForm } from '#app/features/runs/start-run-form.tsx';

type Start = {
  id: string;
  name: string;
  fields: InputField[];
  /** Names of the samples; `sample`: the number of the one that is filled in, with its values. */
  samples: string[];
  sample: number | null;
  values: { [field: string]: Json };
  /** Whether these are the input of an earlier run. */
  taken: boolean;
  revision: number;
  paused: boolean;
  halted: boolean;
  mode: StartMode;
  requestKey: string;
};

const TITLES = { live: 'start.title', test: 'start.titleTest', dry: 'start.titleDry' } as const;

export function StartRunScreen({ start, lastResult }: { start: Start; lastResult: FormResult | undefined }) {
  const { t } = useTranslation('runs');
  const answers = useAnswers(lastResult);
  return (
    <PageFrame
      title={t(TITLES[start.mode], { name: start.name })}
      breadcrumbs={[
        { label: t('list.workflows'), to: href('/dashboard/workflows') },
        { label: start.name, to: href('/dashboard/workflows/:workflow', { workflow: start.id }) },
      ]}
    >
      {start.halted ? (
        <Notice kind="danger" title={t('run.haltedTitle')}>
          {t('run.haltedText')}
        </Notice>
      ) : start.paused && lastResult === undefined ? (
        <Notice kind="attention" title={t('start.pausedTitle')}>
          {t('start.pausedText')}
        </Notice>
      ) : (
        <>
          {start.samples.length === 0 ? null : <Samples start={start} />}
          {start.taken && <p className="mb-6 max-w-measure text-muted">{t('start.taken')}</p>}
          <StartRunForm
            key={`${start.sample} ${answers}`}
            fields={start.fields}
            values={start.values}
            mode={start.mode}
            requestKey={start.requestKey}
            revision={start.revision}
            lastResult={lastResult}
          />
        </>
      )}
    </PageFrame>
  );
}

/** Counts the answers to the form. Each draws it anew: a control that still held files would send them again, and a list take them twice. */
function useAnswers(answer: FormResult | undefined): number {
  const [last, setLast] = useState({ answer, count: 0 });
  if (last.answer !== answer) setLast({ answer, count: last.count + 1 });
  return last.count;
}

/** Links, so that a sample is filled in without scripts too. */
function Samples({ start }: { start: Start }) {
  const { t } = useTranslation('runs');
  const test = start.mode === 'live' ? '' : `mode=${start.mode}&`;
  return (
    <nav aria-label={t('start.samples')} className="mb-6">
      <p className="mb-2 font-semibold">{t('start.samples')}</p>
      <ul className="flex flex-wrap gap-2">
        {start.samples.map((name, index) => (
          <li key={name}>
            <ButtonLink
              size="small"
              to={`${href('/dashboard/workflows/:workflow/run', { workflow: start.id })}?${test}sample=${index + 1}`}
              {...(start.sample === index + 1 ? { 'aria-current': 'true' as const } : {})}
            >
              {name}
            </ButtonLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}
