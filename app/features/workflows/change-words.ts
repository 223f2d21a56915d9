import { useTranslation } from 'react-i18next';
import type { FlowChange } from '#app/components/drawing/flow-picture.tsx';
import type { WorkflowChange } from '#app/domain/workflows/workflow-diff.ts';

/** How each change between two versions is said and coloured. */
export const CHANGES = {
  added: { word: 'version.added', tone: 'ok' },
  removed: { word: 'version.removed', tone: 'danger' },
  changed: { word: 'version.changed', tone: 'info' },
  moved: { word: 'version.moved', tone: 'neutral' },
} as const;

/** The changes of steps for a picture, by path, each with its word. */
export function useFlowChanges(changes: readonly Pick<WorkflowChange, 'place' | 'path' | 'change'>[]): Map<string, FlowChange> {
  const { t } = useTranslation('workflows');
  const inSteps = changes.filter(({ place }) => place === 'step');
  return new Map(inSteps.map(({ path, change }) => [path, { change, word: t(CHANGES[change].word) }]));
}
