import { useTranslation } from 'react-i18next';
import type { WorkflowIssue } from '#app/domain/workflows/workflow-issue.ts';
import CircleAlert from '~icons/circle-alert';

/** The faults of one place, each as a sentence. */
export function IssueList({ issues }: { issues: readonly WorkflowIssue[] }) {
  const { t } = useTranslation('validation');
  if (issues.length === 0) return null;
  return (
    <ul className="grid gap-1 text-sm text-danger-ink">
      {issues.map((issue) => (
        <li key={`${issue.path}${issue.field}${issue.key}`} className="flex items-start gap-2">
          <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
          {t(`workflow.${issue.key}`, { ...issue.values, field: issue.field })}
        </li>
      ))}
    </ul>
  );
}
