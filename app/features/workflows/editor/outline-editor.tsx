import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { STEP_PRESENTATIONS } from '#app/components/drawing/step-presentation.ts';
import { CommandForm } from '#app/components/form/command-form.tsx';
import { DescriptionList } from '#app/components/page/description-list.tsx';
import { EmptyState } from '#app/components/page/empty-state.tsx';
import { Section } from '#app/components/page/section.tsx';
import { useNamed } from '#app/components/text/named.ts';
import { Button, ButtonLink, buttonClass } from '#app/components/ui/button.tsx';
import { STEP_KINDS } from '#app/contracts/statuses.ts';
import { entryField } from '#app/domain/workflows/steps/input-field.ts';
import type { Step } from '#app/domain/workflows/steps/step.ts';
import type { WorkflowDraft } from '#app/domain/workflows/workflow.ts';
import type { WorkflowIssue } from '#app/domain/workflows/workflow-issue.ts';
import { IssueList } from '#app/features/workflows/editor/issue-list.tsx';
import { ChooseStep, SeveralStepsForm } from '#app/features/workflows/editor/several-steps-form.tsx';
import { Outline } from '#app/features/workflows/outline.tsx';
import { fieldTypeLabels } from '#app/features/workflows/steps/form/field-type-labels.ts';
import ArrowDown from '~icons/arrow-down';
import ArrowUp from '~icons/arrow-up';
import Copy from '~icons/copy';
import CornerDownRight from '~icons/corner-down-right';
import CornerUpLeft from '~icons/corner-up-left';
import Pencil from '~icons/pencil';
import Redo2 from '~icons/redo-2';
import Trash2 from '~icons/trash';
import Undo2 from '~icons/undo-2';

const STEP_MOVES = 'step-moves';

/** Undo and redo of the draft. */
export function UndoRedo({ draft }: { draft: WorkflowDraft }) {
  const { t } = useTranslation('workflows');
  return (
    <>
      <Turn draft={draft} intent="undo" label={t('editor.undo')} disabled={!draft.canUndo}>
        <Undo2 aria-hidden="true" className="size-4 rtl:-scale-x-100" />
      </Turn>
      <Turn draft={draft} intent="redo" label={t('editor.redo')} disabled={!draft.canRedo}>
        <Redo2 aria-hidden="true" className="size-4 rtl:-scale-x-100" />
      </Turn>
    </>
  );
}

type TurnProps = { draft: WorkflowDraft; intent: 'undo' | 'redo'; label: string; disabled: boolean; children: ReactNode };

/** To an earlier or a later saved state. */
function Turn({ draft, intent, label, disabled, children }: TurnProps) {
  return (
    <CommandForm
      action={href('/dashboard/workflows/:workflow/edit', { workflow: draft.id })}
      hidden={{ intent, revision: String(draft.revision) }}
    >
      <Button type="submit" variant="quiet" size="small" aria-disabled={disabled || undefined} disabled={disabled} title={label}>
        {children}
        {label}
      </Button>
    </CommandForm>
  );
}

/** Undo, redo and the pages of the whole draft. */
export function DraftMoves({ draft }: { draft: WorkflowDraft }) {
  const { t } = useTranslation('workflows');
  const workflow = draft.id;
  return (
    <div className="mb-6 flex flex-wrap items-center gap-2">
      <UndoRedo draft={draft} />
      <ButtonLink to={href('/dashboard/workflows/:workflow/edit/add', { workflow })} variant="secondary" size="small">
        {t('add.title')}
      </ButtonLink>
      <ButtonLink to={href('/dashboard/workflows/:workflow/edit/samples', { workflow })} variant="quiet" size="small">
        {t('editor.samples')}
      </ButtonLink>
      <ButtonLink to={href('/dashboard/workflows/:workflow/edit/json', { workflow })} variant="quiet" size="small">
        {t('editor.asJson')}
      </ButtonLink>
    </div>
  );
}

/** The outline editor: every move is a small form of its own, so that all of it works with a keyboard and without scripts. */
export function OutlineEditor({ draft, issues }: { draft: WorkflowDraft; issues: WorkflowIssue[] }) {
  const { t } = useTranslation('workflows');
  const workflow = draft.id;
  const fieldTypes = fieldTypeLabels(t);
  const at = (path: string) => issues.filter((issue) => issue.path === path);
  const add = (container: string) => <AddStep container={container} revision={draft.revision} />;
  return (
    <div>
      <Section
        title={t('editor.inputTitle')}
        description={t('editor.inputHint')}
        actions={
          <ButtonLink to={href('/dashboard/workflows/:workflow/edit/input', { workflow })} variant="secondary">
            {t('editor.editInput')}
          </ButtonLink>
        }
      >
        <IssueList issues={at('').filter((issue) => issue.field.startsWith('input'))} />
        {draft.document.input.length === 0 ? (
          <p className="text-muted">{t('editor.noInput')}</p>
        ) : (
          <DescriptionList
            items={draft.document.input.map((field) => ({
              term: field.title,
              description: (
                <>
                  <code>input.{field.name}</code> · {fieldTypes[field.type]}
                  {field.type === 'list' && ` (${fieldTypes[entryField(field).type]})`}
                  {field.required && ` · ${t('editor.required')}`}
                </>
              ),
            }))}
          />
        )}
      </Section>
      <Section title={t('editor.stepsTitle')} description={t('editor.stepsHint')}>
        <IssueList issues={at('').filter((issue) => issue.field === 'steps')} />
        {draft.document.steps.length === 0 && <EmptyState title={t('editor.noSteps')} description={t('editor.noStepsHint')} />}
        <SeveralStepsForm draft={draft} />
        <StepMovesForm draft={draft} />
        {draft.document.steps.length === 0 ? (
          add('')
        ) : (
          <Outline
            steps={draft.document.steps}
            issues={(path) => <IssueList issues={at(path)} />}
            after={add}
            {...(draft.document.steps.length > 1 && {
              before: (step: Step, path: string) => <ChooseStep workflow={workflow} path={path} name={step.name} />,
            })}
            beside={(step, path, index, count) => (
              <StepMoves step={step} path={path} index={index} count={count}>
                <EditStep workflow={workflow} path={path} name={step.name} />
              </StepMoves>
            )}
          />
        )}
      </Section>
      <Section
        title={t('editor.outputTitle')}
        description={t('editor.outputHint')}
        actions={
          <ButtonLink to={href('/dashboard/workflows/:workflow/edit/settings', { workflow })} variant="secondary">
            {t('editor.editSettings')}
          </ButtonLink>
        }
      >
        <IssueList issues={at('').filter((issue) => issue.field === 'output' || issue.field === 'subject')} />
        {draft.document.subject === undefined ? null : (
          <DescriptionList items={[{ term: t('settings.subject'), description: <code dir="ltr">{draft.document.subject}</code> }]} />
        )}
        {draft.document.output === '' ? (
          <p className="text-muted">{t('editor.lastOutput')}</p>
        ) : (
          <code dir="ltr" className="block text-start break-words whitespace-pre-wrap">
            {draft.document.output}
          </code>
        )}
      </Section>
    </div>
  );
}

/** The form of all buttons beside steps: with one for each button, a page of 200 steps would have a thousand. */
export function StepMovesForm({ draft }: { draft: WorkflowDraft }) {
  return (
    <CommandForm
      id={STEP_MOVES}
      action={href('/dashboard/workflows/:workflow/edit', { workflow: draft.id })}
      hidden={{ revision: String(draft.revision) }}
      className="hidden"
    />
  );
}

type StepMovesProps = { step: Step; path: string; index: number; count: number };

/** The moves of one step. On the page stands a `StepMovesForm`. */
export function StepMoves({ step, path, index, count, children }: StepMovesProps & { children?: ReactNode }) {
  const { t } = useTranslation('workflows');
  const { name } = step;
  return (
    <fieldset className="flex flex-wrap items-center gap-1">
      <legend className="sr-only">{t('editor.movesOf', { name })}</legend>
      <StepMove path={path} intent="move-up" label={t('editor.moveUp', { name })} disabled={index === 0}>
        <ArrowUp aria-hidden="true" className="size-4" />
      </StepMove>
      <StepMove path={path} intent="move-down" label={t('editor.moveDown', { name })} disabled={index === count - 1}>
        <ArrowDown aria-hidden="true" className="size-4" />
      </StepMove>
      <StepMove path={path} intent="nest" label={t('editor.nest', { name })} disabled={index === 0}>
        <CornerDownRight aria-hidden="true" className="size-4 rtl:-scale-x-100" />
      </StepMove>
      <StepMove path={path} intent="unnest" label={t('editor.unnest', { name })} disabled={!path.includes('/')}>
        <CornerUpLeft aria-hidden="true" className="size-4 rtl:-scale-x-100" />
      </StepMove>
      <StepMove path={path} intent="duplicate-step" label={t('editor.duplicate', { name })}>
        <Copy aria-hidden="true" className="size-4" />
      </StepMove>
      <StepMove path={path} intent="delete-step" label={t('editor.delete', { name })}>
        <Trash2 aria-hidden="true" className="size-4" />
      </StepMove>
      {children}
    </fieldset>
  );
}

type StepMoveProps = { path: string; intent: string; label: string; disabled?: boolean; children: ReactNode };

function StepMove({ path, intent, label, disabled = false, children }: StepMoveProps) {
  return (
    <Button
      type="submit"
      form={STEP_MOVES}
      name="move"
      value={`${intent} ${path}`}
      variant="quiet"
      size="small"
      aria-disabled={disabled || undefined}
      disabled={disabled}
      title={label}
    >
      {children}
      <span className="sr-only">{label}</span>
    </Button>
  );
}

function EditStep({ workflow, path, name }: { workflow: string; path: string; name: string }) {
  const named = useNamed();
  const { t } = useTranslation('workflows');
  return (
    <Link
      to={href('/dashboard/workflows/:workflow/edit/step/*', { workflow, '*': path })}
      // The card of the step leads there too.
      discover="none"
      className={buttonClass('secondary', 'small')}
      aria-label={named(t('editor.editStep'), name)}
    >
      <Pencil aria-hidden="true" className="size-4" />
      {t('editor.editStep')}
    </Link>
  );
}

function AddStep({ container, revision }: { container: string; revision: number }) {
  const { t } = useTranslation('workflows');
  const flow = useTranslation('flow');
  const id = `add-${container.replaceAll('/', '-') || 'end'}`;
  return (
    <CommandForm
      hidden={{ intent: 'add-step', revision: String(revision), container }}
      className="flex flex-wrap items-end gap-3 rounded-lg border border-dashed border-line p-3"
    >
      <div className="grid gap-1">
        <label htmlFor={`${id}-kind`} className="text-sm">
          {t('editor.addKind')}
        </label>
        <select id={`${id}-kind`} name="kind" className="min-h-11 rounded-md border border-edge bg-surface px-3">
          {STEP_KINDS.map((kind) => (
            <option key={kind} value={kind}>
              {STEP_PRESENTATIONS[kind].kind(flow.t)}
            </option>
          ))}
        </select>
      </div>
      <div className="grid min-w-48 flex-1 gap-1">
        <label htmlFor={`${id}-name`} className="text-sm">
          {t('editor.addName')}
        </label>
        <input
          id={`${id}-name`}
          name="name"
          required
          maxLength={120}
          autoComplete="off"
          className="min-h-11 rounded-md border border-edge bg-surface px-3"
        />
      </div>
      <Button type="submit" variant="secondary">
        {t('editor.add')}
      </Button>
    </CommandForm>
  );
}
