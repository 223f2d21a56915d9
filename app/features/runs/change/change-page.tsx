import { useTranslation } from 'react-i18next';
import { Form, href } from 'react-router';
import { FilterChoice } from '#app/components/data/filter-choice.tsx';
import { AppForm } from '#app/components/form/app-form.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { TextAreaField } from '#app/components/form/text-fields.tsx';
import { useAppForm } from '#app/components/form/use-app-form.ts';
import { EmptyState } from '#app/components/page/empty-state.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { Section } from '#app/components/page/section.tsx';
import { Button, ButtonLink } from '#app/components/ui/button.tsx';
import { TextDifference } from '#app/components/value/text-difference.tsx';
import { walkSteps } from '#app/domain/workflows/paths/walk-steps.ts';
import type { ChangeAnswer } from '#app/features/runs/change/change-action.server.ts';
import { changeSchema } from '#app/features/runs/change/change-schema.ts';
import type { LoadedChange } from '#app/features/runs/change/load-change.server.ts';
import { StepNames } from '#app/features/runs/step-names.tsx';

type Props = LoadedChange & { answer: ChangeAnswer | undefined };

/** Continue a run from a step with other data: choose the data, change it, look at the difference, start. */
export function ChangePage(props: Props) {
  const { run, workflow, from, plan, steps, choices, chosen } = props;
  const { t } = useTranslation('runs');
  const names = new Map([...walkSteps(steps)].map(({ step, path }) => [path, step.name]));
  const named = (paths: readonly string[]) => paths.map((path) => ({ path, name: names.get(path) ?? path }));
  return (
    <PageFrame
      title={t('change.title', { step: from.name })}
      description={t('change.text')}
      breadcrumbs={[
        { label: t('list.title'), to: href('/dashboard/runs') },
        { label: workflow, to: href('/dashboard/runs/:run', { run }) },
      ]}
    >
      {chosen === null ? (
        <EmptyState
          title={t('change.none')}
          description={t('change.noneHint')}
          action={<ButtonLink to={href('/dashboard/runs/:run', { run })}>{t('again.back')}</ButtonLink>}
        />
      ) : (
        <>
          {choices.length > 1 && <DataForm {...props} chosen={chosen} />}
          <ChangeForm key={`${chosen.part}:${chosen.path}`} {...props} chosen={chosen} />
          <StepNames title={t('again.kept')} none={t('again.keptNone')} steps={named(plan.kept)} />
          {plan.askedAgain.length > 0 && <StepNames title={t('again.asked')} none="" steps={named(plan.askedAgain)} />}
          <StepNames title={t('again.again')} none="" steps={named(plan.again)} />
        </>
      )}
    </PageFrame>
  );
}

type Chosen = { chosen: NonNullable<LoadedChange['chosen']> };

/** Which data is changed: a plain form whose answer is an address. */
function DataForm({ from, choices, chosen }: Props & Chosen) {
  const { t } = useTranslation('runs');
  return (
    <Form method="get" className="mb-6 flex flex-wrap items-end gap-3">
      <input type="hidden" name="step" value={from.path} />
      <FilterChoice
        id="data"
        name="data"
        label={t('change.which')}
        value={`${chosen.part}:${chosen.path}`}
        options={choices.map(({ part, path, name }) => ({
          value: `${part}:${path}`,
          label: part === 'input' ? t('change.inputOf', { step: name }) : t('change.outputOf', { step: name }),
        }))}
      />
      <Button>{t('change.choose')}</Button>
    </Form>
  );
}

function ChangeForm({ run, from, choices, chosen, requestKey, answer }: Props & Chosen) {
  const { t } = useTranslation('runs');
  const { form, fields } = useAppForm(changeSchema, {
    lastResult: answer?.form,
    defaultValue: { data: answer?.text === undefined || answer.text === '' ? chosen.text : answer.text },
  });
  const name = choices.find(({ path, part }) => path === chosen.path && part === chosen.part)?.name ?? chosen.path;
  const label = chosen.part === 'input' ? t('change.inputOf', { step: name }) : t('change.outputOf', { step: name });
  const lines = answer?.lines ?? null;
  const query = new URLSearchParams({ step: from.path, data: `${chosen.part}:${chosen.path}` });
  return (
    <AppForm form={form} action={`${href('/dashboard/runs/:run/change', { run })}?${query}`}>
      <input type="hidden" name="key" value={requestKey} />
      <input type="hidden" name="shown" value={answer?.shown ?? ''} />
      <TextAreaField
        field={fields.data}
        label={label}
        hint={t('change.hint')}
        rows={Math.min(24, chosen.text.split('\n').length + 2)}
        code
      />
      {lines !== null && (
        <Section title={t('change.difference')}>
          <TextDifference lines={lines} label={label} words={{ added: t('change.added'), removed: t('change.removed') }} />
        </Section>
      )}
      <div className="flex flex-wrap gap-3">
        <SubmitButton variant={lines === null ? 'primary' : 'secondary'} name="intent" value="compare" busyLabel={t('change.comparing')}>
          {t('change.compare')}
        </SubmitButton>
        {lines !== null && (
          <SubmitButton name="intent" value="start" busyLabel={t('again.busy')}>
            {t('again.submit')}
          </SubmitButton>
        )}
        <ButtonLink to={href('/dashboard/runs/:run', { run })}>{t('again.back')}</ButtonLink>
      </div>
    </AppForm>
  );
}
