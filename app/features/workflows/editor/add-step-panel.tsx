import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Form, href, useSubmit } from 'react-router';
import { STEP_PRESENTATIONS } from '#app/components/drawing/step-presentation.ts';
import { CommandForm } from '#app/components/form/command-form.tsx';
import { Badge } from '#app/components/ui/badge.tsx';
import { Button } from '#app/components/ui/button.tsx';
import type { StepKind } from '#app/contracts/statuses.ts';
import type { FoundStep } from '#app/features/workflows/editor/find-steps.ts';
import type { LoadedAddStep } from '#app/features/workflows/editor/load-add-step.server.ts';

type Props = { workflow: string; revision: number } & Pick<LoadedAddStep, 'place' | 'query' | 'found' | 'more'>;

const TYPING_MS = 200;

/** One search over all that can be added at a place: kinds of steps, tools, skills, models' steps and agents. */
export function AddStepPanel({ workflow, revision, place, query, found, more }: Props) {
  const { t } = useTranslation('workflows');
  const findSoon = useSubmitSoon();
  const { container, at } = place;
  return (
    <div className="grid gap-4">
      <Form
        method="get"
        role="search"
        className="flex flex-wrap items-end gap-2"
        // Found while one types; without scripts the button does it.
        onChange={(event) => findSoon(event.currentTarget)}
      >
        <input type="hidden" name="in" value={container} />
        <input type="hidden" name="at" value={at} />
        <div className="grid min-w-0 flex-1 gap-1">
          <label htmlFor="add-query" className="text-sm font-semibold">
            {t('add.search')}
          </label>
          <input
            id="add-query"
            type="search"
            name="q"
            defaultValue={query}
            autoComplete="off"
            maxLength={200}
            className="min-h-11 rounded-md border border-edge bg-surface px-3"
          />
        </div>
        <Button type="submit" variant="secondary">
          {t('add.find')}
        </Button>
      </Form>
      <p role="status" className="text-sm text-muted">
        {found.length === 0 ? t('add.none') : t('add.found', { number: found.length + more })}
      </p>
      <ul className="grid gap-2">
        {found.map((step) => (
          <li key={`${step.kind} ${step.target?.value ?? ''}`}>
            <Found step={step} workflow={workflow} revision={revision} place={place} />
          </li>
        ))}
      </ul>
      {more > 0 && <p className="text-sm text-muted">{t('add.more', { number: more })}</p>}
    </div>
  );
}

/** Sends a form once nothing has been typed for a moment: each search reads the whole catalogue. */
function useSubmitSoon(): (form: HTMLFormElement) => void {
  const submit = useSubmit();
  const timer = useRef<number>(undefined);
  useEffect(() => () => window.clearTimeout(timer.current), []);
  return (form) => {
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(() => void submit(form, { replace: true, preventScrollReset: true }), TYPING_MS);
  };
}

/** The words for a target that no connection has. */
const OWN: { readonly [Kind in StepKind]?: 'ownAgent' | 'ownWorkflow' } = { agent: 'ownAgent', sub_workflow: 'ownWorkflow' };

function Found({ step, workflow, revision, place }: { step: FoundStep } & Pick<Props, 'workflow' | 'revision' | 'place'>) {
  const { t } = useTranslation('workflows');
  const flow = useTranslation('flow');
  const { kind, title, description, target } = step;
  const { icon: Icon } = STEP_PRESENTATIONS[kind];
  return (
    <CommandForm
      action={href('/dashboard/workflows/:workflow/edit', { workflow })}
      hidden={{
        intent: 'add-step',
        revision: String(revision),
        container: place.container,
        at: String(place.at),
        kind,
        name: title.slice(0, 120),
        ...(target === undefined ? {} : { target: target.value }),
      }}
    >
      <button
        type="submit"
        className="flex w-full items-start gap-3 rounded-lg border border-line bg-surface p-3 text-start hover:border-accent hover:bg-raised"
      >
        <Icon aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-muted" strokeWidth={1.75} />
        <span className="grid min-w-0 gap-0.5">
          <span className="flex flex-wrap items-center gap-x-2 gap-y-1 font-semibold">
            <bdi className="wrap-anywhere">{title}</bdi>
            {target !== undefined && target.effect !== null && <Badge>{t(`add.effects.${target.effect}`)}</Badge>}
            {target?.approved === false && <Badge tone="attention">{t('step.notApproved')}</Badge>}
          </span>
          {target !== undefined && (
            <span className="text-sm text-muted">
              <bdi>{target.connection ?? flow.t(OWN[kind] ?? 'noTarget')}</bdi>
            </span>
          )}
          {description !== '' && (
            <span className="text-sm wrap-anywhere text-muted">
              <bdi>{description}</bdi>
            </span>
          )}
        </span>
      </button>
    </CommandForm>
  );
}
