import { useTranslation } from 'react-i18next';
import { useFormats } from '#app/components/text/locale-context.tsx';
import type { Step } from '#app/domain/workflows/steps/step.ts';
import type { WorkflowChange } from '#app/domain/workflows/workflow-diff.ts';
import type { Dependents } from '#app/engine/workflows/load-dependents.ts';
import { ChangeTable, ComparedFlow } from '#app/features/workflows/change-list.tsx';
import { Affected } from '#app/features/workflows/publish/affected.tsx';

type Props = {
  kind: 'workflow' | 'agent';
  id: string;
  name: string;
  /** Numbers of the version in force, and of the one that is to be. */
  before: number | null;
  after: number | null;
  version: { changes: WorkflowChange[]; stepsBefore: Step[]; steps: Step[]; dependents: Dependents | null };
};

/** A version that is to be published beside the one in force: place by place, of a workflow as a picture, and what uses it at once. */
export function VersionDifference({ kind, id, name, before, after, version }: Props) {
  const { t } = useTranslation('workflows');
  const format = useFormats();
  const label = (number: number | null) => (number === null ? null : format.number(number));
  const earlier = label(before);
  return (
    <div className="grid gap-5">
      {earlier === null && kind === 'workflow' ? null : (
        <ChangeTable changes={version.changes} empty={t('publish.same', { number: earlier ?? '–' })} />
      )}
      {kind === 'workflow' ? (
        <>
          <ComparedFlow
            name={name}
            steps={version.steps}
            before={
              earlier === null
                ? null
                : { steps: version.stepsBefore, changes: version.changes, label: t('detail.versionNumber', { number: earlier }) }
            }
          />
          {version.dependents === null ? null : (
            <Affected dependents={version.dependents} workflow={id} before={earlier} number={label(after) ?? '–'} />
          )}
        </>
      ) : null}
    </div>
  );
}
