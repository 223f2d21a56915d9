import { useTranslation } from 'react-i18next';
import { Form } from 'react-router';
import { CONTROL } from '#app/components/form/field-parts.tsx';
import { TextArea } from '#app/components/form/text-area.tsx';
import { Notice } from '#app/components/page/notice.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { Button } from '#app/components/ui/button.tsx';
import { ExplanationText } from '#app/components/value/explanation-text.tsx';
import { CandidateTable } from '#app/features/reasoning/candidate-table.tsx';
import type { LoadedRouting } from '#app/features/reasoning/load-routing.server.ts';

/** A task to route by hand. The answer has an address, so that it can be kept and sent. */
export function RouteForm({ typed, fault, connections, routed }: Pick<LoadedRouting, 'typed' | 'fault' | 'connections' | 'routed'>) {
  const { t } = useTranslation('reasoning');
  const label = 'mb-1 block font-semibold';
  return (
    <>
      <Form method="get" key={JSON.stringify(typed)} className="grid gap-4 rounded-lg border border-line bg-surface p-4" preventScrollReset>
        {fault === null ? null : <Notice kind="danger" title={t(`form.fault_${fault}`)} live />}
        <div>
          <label htmlFor="route-task" className={label}>
            {t('form.task')}
          </label>
          <p id="route-task-hint" className="mb-1 text-sm text-muted">
            {t('form.taskHint')}
          </p>
          <TextArea
            id="route-task"
            name="task"
            rows={2}
            dir="auto"
            defaultValue={typed.task}
            aria-describedby="route-task-hint"
            className={CONTROL}
            {...(fault === 'task' ? { 'aria-invalid': true } : {})}
          />
        </div>
        <div className="grid gap-4 sm:grid-cols-3">
          <div>
            <label htmlFor="route-step" className={label}>
              {t('form.step')}
            </label>
            <select id="route-step" name="step" defaultValue={typed.step} className={`${CONTROL} min-h-11`}>
              <option value="tool">{t('form.tool')}</option>
              <option value="agent">{t('form.agent')}</option>
            </select>
          </div>
          <div>
            <label htmlFor="route-connection" className={label}>
              {t('form.connection')}
            </label>
            <select id="route-connection" name="connection" defaultValue={typed.connection} className={`${CONTROL} min-h-11`}>
              <option value="">{t('form.anyConnection')}</option>
              {connections.map((connection) => (
                <option key={connection.slug} value={connection.slug}>
                  {connection.name}
                </option>
              ))}
            </select>
          </div>
          <div>
            <label htmlFor="route-inputs" className={label}>
              {t('form.inputs')}
            </label>
            <input
              id="route-inputs"
              name="inputs"
              dir="ltr"
              autoComplete="off"
              spellCheck={false}
              defaultValue={typed.inputs}
              aria-describedby="route-inputs-hint"
              className={`${CONTROL} min-h-11 font-mono text-sm rtl:text-end`}
              {...(fault === 'inputs' ? { 'aria-invalid': true } : {})}
            />
            <p id="route-inputs-hint" className="mt-1 text-sm text-muted">
              {t('form.inputsHint')}
            </p>
          </div>
        </div>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <Button variant="primary">{t('form.submit')}</Button>
          <p className="text-sm text-muted">{t('form.nothingCalled')}</p>
        </div>
      </Form>
      {routed === null ? null : <Answer routed={routed} />}
    </>
  );
}

function Answer({ routed }: { routed: NonNullable<LoadedRouting['routed']> }) {
  const { t } = useTranslation('reasoning');
  const formats = useFormats();
  return (
    <div className="mt-4 grid gap-4">
      <Notice kind={routed.candidates.some((candidate) => candidate.chosen) ? 'ok' : 'attention'} title={t('answer.title')} live>
        <p>
          <ExplanationText explanation={routed.reason} />
        </p>
        <p className="mt-1 text-sm">
          {t('answer.took', {
            time: formats.number(routed.tookMs, { maximumFractionDigits: 2, style: 'unit', unit: 'millisecond' }),
            offered: formats.number(routed.offered),
          })}
        </p>
      </Notice>
      <CandidateTable caption={t('answer.candidates')} candidates={routed.candidates} />
    </div>
  );
}
