import { useTranslation } from 'react-i18next';
import { href } from 'react-router';
import { CommandForm } from '#app/components/form/command-form.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { Notice } from '#app/components/page/notice.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { Section } from '#app/components/page/section.tsx';
import { ButtonLink } from '#app/components/ui/button.tsx';
import { ValueView } from '#app/components/value/value-view.tsx';
import { walkSteps } from '#app/domain/workflows/paths/walk-steps.ts';
import type { Resumed } from '#app/engine/runs/read-resumed.ts';
import type { LoadedRunAgain } from '#app/features/runs/load-screens.server.ts';
import type { AgainRefusal } from '#app/features/runs/run-again-action.server.ts';
import { StepNames } from '#app/features/runs/step-names.tsx';
import { valueAddress } from '#app/features/runs/value-address.ts';

const REFUSED = {
  halted: 'validation:workspaceHalted',
  quota: 'validation:quotaExceeded',
  paused: 'validation:workflowPaused',
  input: 'runs:again.refusedInput',
  queue: 'validation:queueFull',
} as const satisfies Record<AgainRefusal, string>;

const RESUMED = {
  items: 'runs:again.resumedItems',
  rounds: 'runs:again.resumedRounds',
  limit: 'runs:again.resumedLimit',
  calls: 'runs:again.resumedAgent',
  failed: 'runs:again.resumedRun',
  cancelled: 'runs:again.resumedCancelled',
  completed: 'runs:again.resumedCompleted',
  open: 'runs:again.resumedOpen',
} as const satisfies Record<Resumed['kind'], string>;

/** `seconds`: after which there should be room, where too many runs wait. */
type Props = { again: LoadedRunAgain['again']; requestKey: string; refused: AgainRefusal | undefined; seconds: number };

/** The page before a run starts again: which steps are kept, which are asked or called again. */
export function RunAgainPage({ again, requestKey, refused, seconds }: Props) {
  const { t } = useTranslation(['runs', 'validation']);
  const back = href('/dashboard/runs/:run', { run: again.runId });
  const names = new Map([...walkSteps(again.document.steps)].map(({ step, path }) => [path, step.name]));
  const named = (paths: readonly string[]) => paths.map((path) => ({ path, name: names.get(path) ?? path }));
  return (
    <PageFrame
      title={again.step === null ? t('again.title', { name: again.workflow.name }) : t('again.titleFrom', { step: again.step.name })}
      description={again.step === null ? t('again.text') : t('again.textFrom')}
      breadcrumbs={[
        { label: t('list.title'), to: href('/dashboard/runs') },
        { label: again.workflow.name, to: back },
      ]}
    >
      {refused !== undefined && (
        <Notice kind="danger" title={t('again.refusedTitle')} live>
          {t(REFUSED[refused], { seconds })}
        </Notice>
      )}
      {again.dry && (
        <Notice kind="info" title={t('run.dryTitle')}>
          {t('run.dryText')}
        </Notice>
      )}
      {again.step !== null && <StepNames title={t('again.kept')} none={t('again.keptNone')} steps={named(again.plan.kept)} />}
      {again.plan.askedAgain.length > 0 && <StepNames title={t('again.asked')} none="" steps={named(again.plan.askedAgain)} />}
      {again.resumed !== null && again.step !== null && (
        <Notice kind="info" title={t('again.resumedTitle', { step: again.step.name })}>
          {t(RESUMED[again.resumed.kind], again.resumed)}
        </Notice>
      )}
      <StepNames title={t('again.again')} none="" steps={named(again.plan.again)} />
      <Section title={t('run.input')}>
        <ValueView value={again.input} label={t('run.input')} file={valueAddress(again.runId, 'input')} />
      </Section>
      <CommandForm hidden={{ key: requestKey }} className="flex flex-wrap gap-3">
        <SubmitButton busyLabel={t('again.busy')}>{t('again.submit')}</SubmitButton>
        <ButtonLink to={back}>{t('again.back')}</ButtonLink>
      </CommandForm>
    </PageFrame>
  );
}
