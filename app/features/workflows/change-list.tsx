import { useTranslation } from 'react-i18next';
import { DataTable } from '#app/components/data/data-table.tsx';
import { EmptyState } from '#app/components/page/empty-state.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { useLabel } from '#app/components/text/named.ts';
import { Badge } from '#app/components/ui/badge.tsx';
import type { Step } from '#app/domain/workflows/steps/step.ts';
import type { WorkflowChange } from '#app/domain/workflows/workflow-diff.ts';
import { CHANGES, useFlowChanges } from '#app/features/workflows/change-words.ts';
import { FlowView } from '#app/features/workflows/flow-view.tsx';

const CHANGE_ORDER = ['added', 'removed', 'changed', 'moved'] as const;

/** How one document of a workflow differs from another, place by place. `empty`: the words where it does not. */
export function ChangeTable({ changes, empty }: { changes: readonly WorkflowChange[]; empty: string }) {
  const { t } = useTranslation('workflows');
  return (
    <DataTable
      caption={t('version.caption')}
      rows={changes}
      rowKey={(change) => `${change.place}/${change.path}`}
      columns={[
        { key: 'place', header: t('version.place'), cell: (change) => <Place change={change} /> },
        {
          key: 'change',
          header: t('version.change'),
          cell: (change) => <Badge tone={CHANGES[change.change].tone}>{t(CHANGES[change.change].word)}</Badge>,
        },
        { key: 'fields', header: t('version.fields'), cell: (change) => <Fields change={change} /> },
      ]}
      empty={<EmptyState title={empty} />}
    />
  );
}

type Compared = { steps: readonly Step[]; changes: readonly WorkflowChange[]; label: string };

/** The picture of a workflow, with its differences from what it is compared with; null: with nothing. */
export function ComparedFlow({ name, steps, before }: { name: string; steps: readonly Step[]; before: Compared | null }) {
  const { t } = useTranslation('workflows');
  const format = useFormats();
  const words = useFlowChanges(before?.changes ?? []);
  const inSteps = (before?.changes ?? []).filter(({ place }) => place === 'step');
  if (before === null || inSteps.length === 0) return <FlowView steps={steps} name={name} />;
  const kinds = CHANGE_ORDER.map((change) => ({ change, count: inSteps.filter((step) => step.change === change).length }));
  return (
    <div className="grid gap-3">
      <dl className="flex flex-wrap gap-x-5 gap-y-2 text-sm">
        <div className="flex gap-2">
          <dt className="text-muted">{t('version.against')}</dt>
          <dd>{before.label}</dd>
        </div>
        {kinds
          .filter(({ count }) => count > 0)
          .map(({ change, count }) => (
            <div key={change} className="flex items-center gap-2">
              <dt>
                <Badge tone={CHANGES[change].tone}>{t(CHANGES[change].word)}</Badge>
              </dt>
              <dd className="tabular-nums">{format.number(count)}</dd>
            </div>
          ))}
      </dl>
      <FlowView steps={steps} name={name} compared={{ steps: before.steps, changes: words }} />
    </div>
  );
}

function Place({ change }: { change: WorkflowChange }) {
  const { t } = useTranslation('workflows');
  if (change.place === 'settings') return t('version.settings');
  return (
    <>
      <span className="block text-sm text-muted">{change.place === 'input' ? t('version.inputField') : t('version.step')}</span>
      <bdi className="font-semibold">{change.name}</bdi>
      <code className="block text-sm wrap-anywhere text-muted">{change.path}</code>
    </>
  );
}

function Fields({ change }: { change: WorkflowChange }) {
  const { t } = useTranslation('workflows');
  return (
    <ul className="grid gap-3">
      {change.fields.map(({ field, before, after }) => (
        <li key={field} className="grid gap-1">
          <code>{field}</code>
          <Value label={t('version.before')} text={before} />
          <Value label={t('version.after')} text={after} />
        </li>
      ))}
    </ul>
  );
}

function Value({ label, text }: { label: string; text: string }) {
  const colon = useLabel();
  const { t } = useTranslation('workflows');
  return (
    <p className="text-sm">
      <span className="text-muted">{colon(label)} </span>
      {text === '' ? (
        <span className="text-muted">{t('version.nothing')}</span>
      ) : (
        <code className="whitespace-pre-wrap wrap-anywhere">{text}</code>
      )}
    </p>
  );
}
