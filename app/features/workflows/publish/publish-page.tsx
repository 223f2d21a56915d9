import { useTranslation } from 'react-i18next';
import { href, Link } from 'react-router';
import { AskSecondPerson } from '#app/components/form/ask/ask-second-person.tsx';
import { CommandForm } from '#app/components/form/command-form.tsx';
import { Notice } from '#app/components/page/notice.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { Section } from '#app/components/page/section.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { Button, ButtonLink } from '#app/components/ui/button.tsx';
import { walkSteps } from '#app/domain/workflows/paths/walk-steps.ts';
import type { WorkflowIssue } from '#app/domain/workflows/workflow-issue.ts';
import { ChangeTable, ComparedFlow } from '#app/features/workflows/change-list.tsx';
import { IssueList } from '#app/features/workflows/editor/issue-list.tsx';
import { Affected } from '#app/features/workflows/publish/affected.tsx';
import type { LoadedPublish } from '#app/features/workflows/publish/load-publish.server.ts';

/** `missing`: another person was asked without a reason. */
type Props = LoadedPublish & { refused: boolean; missing: boolean };

/** Shows the changes and effects of publishing before it is done, or before another person is asked to agree to it. */
export function PublishPage({ draft, published, issues, dependents, review, inForce, next, refused, missing }: Props) {
  const { t } = useTranslation(['workflows', 'control']);
  const format = useFormats();
  const workflow = draft.id;
  const number = format.number(next);
  const before = inForce === null ? null : format.number(inForce);
  const editor = href('/dashboard/workflows/:workflow/edit', { workflow });
  const ready = issues.length === 0;
  const publish = ready && review !== 'needed' && (
    <CommandForm hidden={{ revision: String(draft.revision) }}>
      <Button variant="primary">{t('publish.submit', { number })}</Button>
    </CommandForm>
  );
  return (
    <PageFrame
      title={t('publish.title', { name: draft.name, number })}
      description={before === null ? t('publish.first') : t('publish.description', { number: before })}
      wide
      breadcrumbs={[
        { label: t('list.title'), to: href('/dashboard/workflows') },
        { label: draft.name, to: href('/dashboard/workflows/:workflow', { workflow }) },
        { label: t('editor.crumb'), to: editor },
      ]}
      actions={
        <>
          <ButtonLink to={editor}>{t('publish.back')}</ButtonLink>
          {publish}
        </>
      }
    >
      {issues.length > 0 && <Faults draft={draft} issues={issues} refused={refused} />}
      {published !== null && before !== null && (
        <Section title={t('version.difference')}>
          <ChangeTable changes={published.changes} empty={t('publish.same', { number: before })} />
        </Section>
      )}
      <Section title={t('editor.picture')}>
        <ComparedFlow
          name={draft.name}
          steps={draft.document.steps}
          before={published === null || before === null ? null : { ...published, label: t('detail.versionNumber', { number: before }) }}
        />
      </Section>
      <Section title={t('publish.affected')}>
        <Affected dependents={dependents} workflow={workflow} before={before} number={number} />
      </Section>
      {ready && review === 'needed' ? (
        <Section title={t('control:ask.publishTitle')} description={t('control:ask.publishText')}>
          <AskSecondPerson
            hidden={{ revision: String(draft.revision) }}
            submit={t('control:ask.publishVersion', { number })}
            missing={missing}
          />
        </Section>
      ) : (
        <div className="mt-8 flex flex-wrap gap-3">{publish}</div>
      )}
    </PageFrame>
  );
}

/** Each place that keeps the draft from being published, with the way to it. */
function Faults({ draft, issues, refused }: { draft: LoadedPublish['draft']; issues: readonly WorkflowIssue[]; refused: boolean }) {
  const { t } = useTranslation('workflows');
  const names = new Map([...walkSteps(draft.document.steps)].map(({ step, path }) => [path, step.name]));
  return (
    <div className="mb-6">
      <Notice kind={refused ? 'danger' : 'attention'} title={t('editor.refused')} live={refused}>
        <ul className="mt-2 grid gap-3">
          {[...new Set(issues.map(({ path }) => path))].map((path) => (
            <li key={path}>
              <Link
                className="text-link"
                to={
                  names.has(path)
                    ? href('/dashboard/workflows/:workflow/edit/step/*', { workflow: draft.id, '*': path })
                    : href('/dashboard/workflows/:workflow/edit', { workflow: draft.id })
                }
              >
                <bdi>{names.get(path) ?? draft.name}</bdi>
              </Link>
              <IssueList issues={issues.filter((issue) => issue.path === path)} />
            </li>
          ))}
        </ul>
      </Notice>
    </div>
  );
}
