import { useTranslation } from 'react-i18next';
import { type FlowChange, FlowPicture } from '#app/components/drawing/flow-picture.tsx';
import { stepNote } from '#app/components/drawing/step-presentation.ts';
import { useAccessibility } from '#app/components/look/accessibility-provider.tsx';
import { flowOf } from '#app/domain/workflows/flow-layout.ts';
import type { Step } from '#app/domain/workflows/steps/step.ts';
import { flowWithRemoved } from '#app/features/workflows/flow-difference.ts';
import { Outline } from '#app/features/workflows/outline.tsx';

type Props = {
  steps: readonly Step[];
  name: string;
  /** The steps of the version that it is compared with, and how each differs, by its path. */
  compared?: { steps: readonly Step[]; changes: ReadonlyMap<string, FlowChange> } | undefined;
  /** The address that a step's card links to; undefined for one that has none. */
  linkTo?: (path: string) => string | undefined;
  current?: string | undefined;
  addAt?: (container: string, before: readonly { id: string }[]) => string | undefined;
  /** The editor has an outline of its own. */
  outline?: boolean;
};

/** The picture of a workflow, with its outline beside it in words. In a comparison it also shows the steps that were removed. */
export function FlowView({ steps, name, compared, linkTo, current, addAt, outline = true }: Props) {
  const { t } = useTranslation('flow');
  const { screenReaderMode } = useAccessibility().settings;
  const flow = (of: readonly Step[]) => flowOf(of, (step) => stepNote(step, t));
  const label = t('flowOf', { name });
  const links = { current, ...(linkTo === undefined ? {} : { linkTo }), ...(addAt === undefined ? {} : { addAt }) };
  return (
    <div className="grid gap-3">
      {compared === undefined ? (
        <FlowPicture steps={flow(steps)} label={label} {...links} />
      ) : (
        <FlowPicture steps={flowWithRemoved(flow(compared.steps), flow(steps))} label={label} changes={compared.changes} {...links} />
      )}
      {outline && steps.length > 0 && (
        <details {...(screenReaderMode ? { open: true } : {})} className="print:hidden">
          <summary className="text-link inline-block text-sm">{t('outline')}</summary>
          <div className="mt-3">
            <Outline steps={steps} />
          </div>
        </details>
      )}
    </div>
  );
}
