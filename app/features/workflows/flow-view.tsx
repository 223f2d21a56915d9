import { useTranslation } from 'react-i18next';
import { FlowPicture } from '#app/components/drawing/flow-picture.tsx';
import { stepNote } from '#app/components/drawing/step-presentation.ts';
import { useAccessibility } from '#app/components/look/accessibility-provider.tsx';
import { flowOf } from '#app/domain/workflows/flow-layout.ts';
import type { Step } from '#app/domain/workflows/steps/step.ts';
import { Outline } from '#app/features/workflows/outline.tsx';

/** The picture of a workflow, with its outline beside it in words. */
export function FlowView({ steps, name }: { steps: readonly Step[]; name: string }) {
  const { t } = useTranslation('flow');
  const { screenReaderMode } = useAccessibility().settings;
  return (
    <div className="grid gap-3">
      <FlowPicture steps={flowOf(steps, (step) => stepNote(step, t))} label={t('flowOf', { name })} />
      {steps.length > 0 && (
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
