import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Form, href } from 'react-router';
import { branchWords } from '#app/components/drawing/step-presentation.ts';
import { WorkspaceInput } from '#app/components/form/form-workspace.tsx';
import { Button } from '#app/components/ui/button.tsx';
import { placeName } from '#app/domain/workflows/flow-layout.ts';
import type { Step } from '#app/domain/workflows/steps/step.ts';
import type { WorkflowDraft } from '#app/domain/workflows/workflow.ts';
import { choose, chosenPaths, onChosen, toggleChosen } from '#app/features/workflows/editor/picture/chosen-steps.ts';
import { afterFrame, inTurns } from '#app/features/workflows/editor/picture/in-turns.ts';

const FORM = 'several-steps';

/** Moves, copies or deletes the steps whose boxes are ticked in the outline: one change, taken back by one undo. */
export function SeveralStepsForm({ draft }: { draft: WorkflowDraft }) {
  const { t } = useTranslation('workflows');
  const { id: workflow, revision, document } = draft;
  useEffect(() => {
    // Those that were ticked before the scripts came.
    const ticked = boxes().filter((box) => box.checked);
    if (ticked.length > 0) choose(workflow, [...chosenPaths(workflow), ...ticked.map(({ value }) => value)]);
  }, [workflow]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each revision has other boxes
  useEffect(() => {
    // By hand: hundreds of boxes drawn anew by one key would be felt.
    let end: (() => void) | undefined;
    const tick = () => {
      const isChosen = (box: HTMLInputElement) => chosenPaths(workflow).has(box.value);
      const isSeen = (box: HTMLInputElement) => box.checkVisibility({ contentVisibilityAuto: true });
      const changed = boxes().filter((box) => box.checked !== isChosen(box));
      end = inTurns(changed, isSeen, (box) => {
        box.checked = isChosen(box);
      });
    };
    tick();
    // The cards first, whose picture stands above.
    const forget = onChosen(() => {
      end?.();
      end = afterFrame(tick);
    });
    return () => {
      forget();
      end?.();
    };
  }, [workflow, revision]);
  if (document.steps.length < 2) return null;
  return (
    <Form
      id={FORM}
      method="post"
      action={href('/dashboard/workflows/:workflow/edit', { workflow })}
      preventScrollReset
      className="mb-4 print:hidden"
    >
      <WorkspaceInput />
      <input type="hidden" name="revision" value={revision} />
      <fieldset className="flex flex-wrap items-end gap-2">
        <legend className="mb-1 text-sm text-muted">{t('several.with')}</legend>
        <Button name="intent" value="move-up" size="small">
          {t('several.up')}
        </Button>
        <Button name="intent" value="move-down" size="small">
          {t('several.down')}
        </Button>
        <Button name="intent" value="duplicate-step" size="small">
          {t('keys.do.duplicate')}
        </Button>
        <Button name="intent" value="delete-step" size="small" variant="danger">
          {t('keys.do.delete')}
        </Button>
        <label htmlFor="several-place" className="ms-2 text-sm">
          {t('several.moveTo')}
        </label>
        <select id="several-place" name="place" className="min-h-8 max-w-72 rounded-md border border-edge bg-surface px-2 text-sm">
          <Places steps={document.steps} container="" within={t('several.flow')} />
        </select>
        <Button name="intent" value="move-to" size="small">
          {t('several.move')}
        </Button>
      </fieldset>
    </Form>
  );
}

const boxes = () => [...window.document.querySelectorAll<HTMLInputElement>(`input[form="${FORM}"][name="path"]`)];

/** Each place that a step can be moved to, in the order of the outline. `within`: the words for the list. */
function Places({ steps, container, within }: { steps: readonly Step[]; container: string; within: string }) {
  const { t } = useTranslation('workflows');
  const flow = useTranslation('flow');
  return (
    <>
      {steps.map((step, index) => {
        const path = container === '' ? step.id : `${container}/${step.id}`;
        return [
          <option key={path} value={placeName(container, index)}>
            {t('several.before', { name: step.name })}
          </option>,
          ...('branches' in step ? step.branches : []).map((branch) => (
            <Places
              key={`${path}/${branch.label}`}
              steps={branch.steps}
              container={`${path}/${branch.label}`}
              within={flow.t('branchOf', { step: step.name, label: branchWords(step, branch, flow.t) })}
            />
          )),
        ];
      })}
      <option value={placeName(container, steps.length)}>{t('several.last', { within })}</option>
    </>
  );
}

/** The box that chooses a step of the outline, together with its card in the picture. */
export function ChooseStep({ workflow, path, name }: { workflow: string; path: string; name: string }) {
  const { t } = useTranslation('workflows');
  return (
    <label className="-m-2 inline-flex p-2">
      <span className="sr-only">{t('several.choose', { name })}</span>
      <input
        type="checkbox"
        form={FORM}
        name="path"
        value={path}
        onChange={() => toggleChosen(workflow, path)}
        className="size-5 accent-(--accent)"
      />
    </label>
  );
}
