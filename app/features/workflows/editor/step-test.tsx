import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { RelativeTime } from '#app/components/data/relative-time.tsx';
import { StatusWord } from '#app/components/data/status-word.tsx';
import { CommandForm } from '#app/components/form/command-form.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { useRunChanges } from '#app/components/live/use-run-changes.ts';
import { Notice } from '#app/components/page/notice.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { Button } from '#app/components/ui/button.tsx';
import { ExplanationText } from '#app/components/value/explanation-text.tsx';
import { JsonText, JsonView } from '#app/components/value/json-view.tsx';
import type { ShownValue } from '#app/components/value/shown-value.ts';
import { revealedText } from '#app/domain/connections/hidden-text.ts';
import { isTerminalRunStatus } from '#app/domain/runs/run-status.ts';
import type { TestRefusal } from '#app/features/workflows/editor/given-back-form.ts';
import type { StepTest } from '#app/features/workflows/editor/load-step-test.server.ts';

/** `form`: the id of the step's own form, which the button sends. */
type Props = { test: StepTest; workflow: string; path: string; step: string; form: string; refused: TestRefusal | undefined };

/** Tests the step as its form has it, shows what came of it, and keeps the output as data for what comes later. */
export function StepTestPanel({ test, workflow, path, step, form, refused }: Props) {
  const { t } = useTranslation('workflows');
  const action = `${href('/dashboard/workflows/:workflow/edit/step/*', { workflow, '*': path })}?for=test`;
  return (
    <section
      id="step-test"
      aria-labelledby="step-test-title"
      className="mt-8 grid grid-cols-1 gap-4 rounded-lg border border-line bg-surface p-4"
    >
      <h2 id="step-test-title" className="text-lg font-semibold">
        {t('test.title')}
      </h2>
      <p className="max-w-measure text-sm text-muted">{t('test.hint')}</p>
      {refused !== undefined && (
        <Notice kind="danger" title={t('test.refused')} live>
          {t(`test.refusals.${refused}`)}
        </Notice>
      )}
      {test.changes.length > 0 && <Changes changes={test.changes} />}
      <input type="hidden" form={form} name="key" value={test.requestKey} />
      {test.sources.length === 0 ? (
        <p className="text-sm text-muted">{t('test.noData')}</p>
      ) : (
        <Sources sources={test.sources} form={form} />
      )}
      <SubmitButton form={form} formAction={action} name="intent" value="test" variant="secondary" busyLabel={t('test.busy')}>
        {t('test.submit')}
      </SubmitButton>
      {test.result !== null && <Result result={test.result} action={action} />}
      {test.pin !== null && (
        <div className="grid grid-cols-1 gap-2 border-t border-line pt-4">
          <h3 className="font-semibold">{t('test.pinned')}</h3>
          <p className="text-sm text-muted">
            <RelativeTime at={test.pin.at} />
          </p>
          <Value value={test.pin.value} label={t('test.pinned')} />
          <CommandForm action={action} hidden={{ intent: 'unpin', step }}>
            <Button type="submit" variant="quiet" size="small">
              {t('test.unpin')}
            </Button>
          </CommandForm>
        </div>
      )}
    </section>
  );
}

function Changes({ changes }: { changes: StepTest['changes'] }) {
  const { t } = useTranslation('workflows');
  const format = useFormats();
  const calls = format.list(changes.map((call) => (call === null ? t('test.chosenLater') : revealedText(call))));
  return (
    <Notice kind="attention" title={t('test.writes')}>
      {t('test.writesHint', { calls })}
    </Notice>
  );
}

/** Choices of data to test the step on, each with the steps that have no output there. */
function Sources({ sources, form }: { sources: StepTest['sources']; form: string }) {
  const { t } = useTranslation('workflows');
  const format = useFormats();
  return (
    <fieldset className="grid gap-1">
      <legend className="mb-1 font-semibold">{t('test.data')}</legend>
      {sources.map(({ value, name, missing }, index) => (
        <label key={value} className="flex min-h-9 items-start gap-3 py-1.5">
          <input
            type="radio"
            form={form}
            name="data"
            value={value}
            defaultChecked={index === 0}
            className="mt-1 size-4 shrink-0 accent-accent"
          />
          <span className="grid min-w-0">
            <bdi>{name === null ? t('test.fromRun') : t('test.fromSample', { name })}</bdi>
            {missing.length > 0 && (
              <span className="text-sm text-muted">{t('test.missing', { steps: format.list(missing.map(revealedText)) })}</span>
            )}
          </span>
        </label>
      ))}
    </fieldset>
  );
}

function Result({ result, action }: { result: NonNullable<StepTest['result']>; action: string }) {
  const { t } = useTranslation('workflows');
  const over = isTerminalRunStatus(result.status);
  useRunChanges(result.run, !over);
  return (
    <div className="grid grid-cols-1 gap-3 border-t border-line pt-4">
      <div className="flex flex-wrap items-center justify-between gap-2" role="status">
        <h3 className="font-semibold">{t('test.result')}</h3>
        <StatusWord status={result.status} />
      </div>
      {result.error !== null && (
        <p className="font-semibold text-danger-ink">
          <ExplanationText explanation={result.error} />
        </p>
      )}
      {result.value !== null && <Value value={result.value} label={t('test.result')} />}
      <p className="flex flex-wrap gap-x-4 gap-y-1">
        <Link to={href('/dashboard/runs/:run', { run: result.run })} className="text-link">
          {t('test.openRun')}
        </Link>
        {!over && (
          <Link to={`?test=${result.run}#step-test`} reloadDocument className="text-link">
            {t('test.refresh')}
          </Link>
        )}
      </p>
      {result.value !== null && result.isSaved && (
        <CommandForm action={action} hidden={{ intent: 'pin', run: result.run }} className="grid gap-1">
          <p className="max-w-measure text-sm text-muted">{t('test.pinHint')}</p>
          <div>
            <Button type="submit" variant="secondary" size="small">
              {t('test.pin')}
            </Button>
          </div>
        </CommandForm>
      )}
    </div>
  );
}

function Value({ value, label }: { value: ShownValue; label: string }) {
  return 'whole' in value ? (
    <JsonView value={value.whole} label={label} />
  ) : (
    <JsonText text={`${value.start}…`} label={label} hides={value.hides} />
  );
}
