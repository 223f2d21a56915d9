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

/** Undo and redo of the draft. */
export function UndoRedo({ draft }: { draft: WorkflowDraft }) {
  const { t } = useTranslation('workflows');
  const { id: workflow, revision } = draft;
  return (
    <>
      <Move workflow={workflow} intent="undo" revision={revision} label={t('editor.undo')} disabled={!draft.canUndo} showLabel>
        <Undo2 aria-hidden="true" className="size-4 rtl:-scale-x-100" />
      </Move>
      <Move workflow={workflow} intent="redo" revision={revision} label={t('editor.redo')} disabled={!draft.canRedo} showLabel>
        <Redo2 aria-hidden="true" className="size-4 rtl:-scale-x-100" />
      </Move>
    </>
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
              <StepMoves step={step} path={path} index={index} count={count} revision={draft.revision} workflow={workflow} edits />
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
        <IssueList issues={at('').filter((issue) => issue.field === 'output')} />
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

/** The moves of one step, and beside an outline the way to its form. */
export function StepMoves({
  step,
  path,
  index,
  count,
  revision,
  workflow,
  edits = false,
}: {
  step: Step;
  path: string;
  index: number;
  count: number;
  revision: number;
  workflow: string;
  edits?: boolean;
}) {
  const named = useNamed();
  const { t } = useTranslation('workflows');
  const move = { workflow, path, revision };
  return (
    <fieldset className="flex flex-wrap items-center gap-1">
      <legend className="sr-only">{t('editor.movesOf', { name: step.name })}</legend>
      <Move {...move} intent="move-up" label={t('editor.moveUp', { name: step.name })} disabled={index === 0}>
        <ArrowUp aria-hidden="true" className="size-4" />
      </Move>
      <Move {...move} intent="move-down" label={t('editor.moveDown', { name: step.name })} disabled={index === count - 1}>
        <ArrowDown aria-hidden="true" className="size-4" />
      </Move>
      <Move {...move} intent="nest" label={t('editor.nest', { name: step.name })} disabled={index === 0}>
        <CornerDownRight aria-hidden="true" className="size-4 rtl:-scale-x-100" />
      </Move>
      <Move {...move} intent="unnest" label={t('editor.unnest', { name: step.name })} disabled={!path.includes('/')}>
        <CornerUpLeft aria-hidden="true" className="size-4 rtl:-scale-x-100" />
      </Move>
      <Move {...move} intent="duplicate-step" label={t('editor.duplicate', { name: step.name })}>
        <Copy aria-hidden="true" className="size-4" />
      </Move>
      <Move {...move} intent="delete-step" label={t('editor.delete', { name: step.name })}>
        <Trash2 aria-hidden="true" className="size-4" />
      </Move>
      {edits && (
        <Link
          to={href('/dashboard/workflows/:workflow/edit/step/*', { workflow, '*': path })}
          className={buttonClass('secondary', 'small')}
          aria-label={named(t('editor.editStep'), step.name)}
        >
          <Pencil aria-hidden="true" className="size-4" />
          {t('editor.editStep')}
        </Link>
      )}
    </fieldset>
  );
}

type MoveProps = {
  workflow: string;
  intent: string;
  revision: number;
  path?: string;
  label: string;
  disabled?: boolean;
  showLabel?: boolean;
  children: ReactNode;
};

function Move({ workflow, intent, revision, path, label, disabled = false, showLabel = false, children }: MoveProps) {
  return (
    <CommandForm
      action={href('/dashboard/workflows/:workflow/edit', { workflow })}
      hidden={{ intent, revision: String(revision), ...(path === undefined ? {} : { path }) }}
    >
      <Button type="submit" variant="quiet" size="small" aria-disabled={disabled || undefined} disabled={disabled} title={label}>
        {children}
        <span className={showLabel ? undefined : 'sr-only'}>{label}</span>
      </Button>
    </CommandForm>
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
