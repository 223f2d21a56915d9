import { useTranslation } from 'react-i18next';
import { ScrollGroup } from '#app/components/data/scroll-group.tsx';
import { Notice } from '#app/components/page/notice.tsx';
import type { PolicyIssue } from '#app/contracts/engine.ts';

/** The faults of a draft, or what may surprise its author, each with its line and a mark below the place. */
export function PolicyIssues({ issues, text, notes = false }: { issues: readonly PolicyIssue[]; text: string; notes?: boolean }) {
  const { t } = useTranslation('policies');
  const lines = text.split('\n');
  return (
    <Notice kind={notes ? 'info' : 'attention'} title={t(notes ? 'edit.notes' : 'edit.issues', { count: issues.length })}>
      <ol className="grid grid-cols-[minmax(0,1fr)] gap-3">
        {issues.map((issue) => {
          const line = issue.line === undefined ? undefined : lines[issue.line - 1];
          return (
            <li key={`${issue.line ?? 0}:${issue.column ?? 0}:${issue.message}`}>
              <span className="font-semibold">
                {issue.line === undefined || issue.column === undefined
                  ? t('edit.issueWhole')
                  : t('edit.issueAt', { line: issue.line, column: issue.column })}
              </span>{' '}
              <bdi className="break-words">{issue.message}</bdi>
              {line === undefined || issue.column === undefined ? null : (
                <ScrollGroup label={t('edit.issueAt', { line: issue.line ?? 0, column: issue.column })} className="mt-1 overflow-x-auto">
                  <pre dir="ltr" className="text-start font-mono text-sm">
                    <code>{`${line}\n${' '.repeat(issue.column - 1)}^`}</code>
                  </pre>
                </ScrollGroup>
              )}
            </li>
          );
        })}
      </ol>
    </Notice>
  );
}
