import { useTranslation } from 'react-i18next';
import { href } from 'react-router';
import type { FormResult } from '#app/components/form/use-app-form.ts';
import { Notice } from '#app/components/page/notice.tsx';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { Section } from '#app/components/page/section.tsx';
import { ButtonLink } from '#app/components/ui/button.tsx';
import type { Step } from '#app/domain/workflows/steps/step.ts';
import type { WorkflowDraft } from '#app/domain/workflows/workflow.ts';
import type { WorkflowIssue } from '#app/domain/workflows/workflow-issue.ts';
import type { StepTarget } from '#app/engine/workflows/load-catalogue.ts';
import { useCrumbs } from '#app/features/workflows/crumbs.ts';
import { AddStepPanel } from '#app/features/workflows/editor/add-step-panel.tsx';
import { DocumentJsonForm, InputFieldsForm, SettingsForm } from '#app/features/workflows/editor/document-forms.tsx';
import { DataAtHand } from '#app/features/workflows/editor/expressions/data-at-hand.tsx';
import { ExpressionCompletion } from '#app/features/workflows/editor/expressions/expression-completion.tsx';
import { ExpressionPreview } from '#app/features/workflows/editor/expressions/expression-preview.tsx';
import type { KnownData } from '#app/features/workflows/editor/expressions/load-known-data.server.ts';
import type { GivenBackForm } from '#app/features/workflows/editor/given-back-form.ts';
import { IssueList } from '#app/features/workflows/editor/issue-list.tsx';
import type { LoadedAddStep } from '#app/features/workflows/editor/load-add-step.server.ts';
import type { StepTest } from '#app/features/workflows/editor/load-step-test.server.ts';
import { DraftMoves, OutlineEditor, StepMoves, StepMovesForm } from '#app/features/workflows/editor/outline-editor.tsx';
import { placeOf } from '#app/features/workflows/editor/step-place.ts';
import { StepTestPanel } from '#app/features/workflows/editor/step-test.tsx';
import { addressOfPlace, EditorPicture, Workbench } from '#app/features/workflows/editor/workbench.tsx';
import type { LoadedEditor } from '#app/features/workflows/load-screens.server.ts';
import { OfferedNamesContext } from '#app/features/workflows/steps/form/expression-field.tsx';
import { StepForm } from '#app/features/workflows/steps/step-screens.tsx';

export function EditorScreen(editor: LoadedEditor) {
  const { t } = useTranslation('workflows');
  const { draft, issues } = editor;
  return (
    <PageFrame
      title={t('editor.title', { name: draft.name })}
      wide
      description={t('editor.description')}
      breadcrumbs={useCrumbs(draft)}
      actions={
        <>
          <ButtonLink to={`${href('/dashboard/workflows/:workflow/run', { workflow: draft.id })}?mode=test`}>{t('editor.test')}</ButtonLink>
          <ButtonLink to={`${href('/dashboard/workflows/:workflow/run', { workflow: draft.id })}?mode=dry`}>
            {t('editor.dryRun')}
          </ButtonLink>
          <ButtonLink to={href('/dashboard/workflows/:workflow/publish', { workflow: draft.id })} variant="primary">
            {t('editor.publish')}
          </ButtonLink>
        </>
      }
    >
      {issues.length > 0 && (
        <div className="mb-6">
          <Notice kind="attention" title={t('editor.issues', { count: issues.length })}>
            {t('editor.issuesHint')}
          </Notice>
        </div>
      )}
      <DraftMoves draft={draft} />
      {draft.document.steps.length > 0 && (
        <Section
          title={t('editor.picture')}
          description={editor.published === null ? t('editor.pictureHint') : t('editor.pictureDifference')}
        >
          <EditorPicture {...editor} />
        </Section>
      )}
      <OutlineEditor draft={draft} issues={issues} />
    </PageFrame>
  );
}

/** The id that a form has where it is the only one with fields. */
const STEP_FORM = 'form';

const givenBack = (answer: FormResult | GivenBackForm | undefined): Partial<GivenBackForm> =>
  answer === undefined || 'form' in answer ? { ...answer } : { form: answer };

/** Enter in a field presses the first button of a form, which would be one for names. */
const FirstButton = () => <button type="submit" form={STEP_FORM} tabIndex={-1} aria-hidden="true" className="sr-only" />;

type StepScreenProps = LoadedEditor & {
  step: Step;
  path: string;
  catalogue: readonly StepTarget[];
  known: KnownData;
  test: StepTest | null;
  answer: FormResult | GivenBackForm | undefined;
};

export function StepScreen({ step, path, catalogue, known, test, answer, ...editor }: StepScreenProps) {
  const { t } = useTranslation('workflows');
  const { draft } = editor;
  const issues = editor.issues.filter((issue) => issue.path === path);
  const given = givenBack(answer);
  const unsaved = test?.unsaved ?? null;
  const action = href('/dashboard/workflows/:workflow/edit/step/*', { workflow: draft.id, '*': path });
  return (
    <PageFrame title={t('step.title', { name: step.name })} wide breadcrumbs={useCrumbs(draft, true)}>
      <Workbench editor={editor} current={path}>
        <div className="mb-6 flex flex-wrap items-center justify-between gap-2">
          <StepMovesForm draft={draft} />
          <StepMoves {...placeOf(draft.document.steps, path)} step={step} path={path} />
          <ButtonLink to={href('/dashboard/workflows/:workflow/edit', { workflow: draft.id })} variant="quiet" size="small">
            {t('editor.closeStep')}
          </ButtonLink>
        </div>
        {issues.length > 0 && (
          <div className="mb-6">
            <IssueList issues={issues} />
          </div>
        )}
        <DataAtHand known={known} />
        <ExpressionCompletion key={`completion ${path}`} known={known} />
        {unsaved !== null && (
          <div className="mb-6">
            <Notice kind="attention" title={t('test.unsaved')}>
              {t('test.unsavedHint')}
            </Notice>
          </div>
        )}
        <FirstButton />
        <OfferedNamesContext value={{ action, groups: known.groups, open: given.names ?? null }}>
          <StepForm key={path} step={unsaved ?? step} revision={draft.revision} catalogue={catalogue} lastResult={given.form} />
        </OfferedNamesContext>
        {test !== null && (
          <StepTestPanel
            key={`test ${path}`}
            test={test}
            workflow={draft.id}
            path={path}
            step={step.id}
            form={STEP_FORM}
            refused={given.refusedTest}
          />
        )}
        {known.from !== null && <ExpressionPreview key={`preview ${path}`} workflow={draft.id} path={path} />}
      </Workbench>
    </PageFrame>
  );
}

export function AddStepScreen({ place, query, found, more, ...editor }: LoadedAddStep) {
  const { t } = useTranslation('workflows');
  return (
    <PageFrame title={t('add.title')} wide description={t('add.description')} breadcrumbs={useCrumbs(editor.draft, true)}>
      <Workbench editor={editor} current={addressOfPlace(editor.draft.id, place.container, place.at)}>
        <AddStepPanel workflow={editor.draft.id} revision={editor.draft.revision} place={place} query={query} found={found} more={more} />
      </Workbench>
    </PageFrame>
  );
}

type DraftScreenProps = { draft: WorkflowDraft; lastResult: FormResult | undefined };

export function InputFieldsScreen({ draft, lastResult }: DraftScreenProps) {
  const { t } = useTranslation('workflows');
  return (
    <PageFrame title={t('input.pageTitle')} description={t('input.pageDescription')} breadcrumbs={useCrumbs(draft, true)}>
      <InputFieldsForm draft={draft} lastResult={lastResult} />
    </PageFrame>
  );
}

type SettingsScreenProps = {
  draft: WorkflowDraft;
  issues: readonly WorkflowIssue[];
  known: KnownData;
  answer: FormResult | GivenBackForm | undefined;
};

export function SettingsScreen({ draft, issues, known, answer }: SettingsScreenProps) {
  const { t } = useTranslation('workflows');
  const given = givenBack(answer);
  const action = href('/dashboard/workflows/:workflow/edit/settings', { workflow: draft.id });
  return (
    <PageFrame title={t('settings.title')} breadcrumbs={useCrumbs(draft, true)}>
      <DataAtHand known={known} />
      <ExpressionCompletion known={known} />
      <FirstButton />
      <OfferedNamesContext value={{ action, groups: known.groups, open: given.names ?? null }}>
        <SettingsForm draft={draft} issues={issues} lastResult={given.form} />
      </OfferedNamesContext>
      {known.from !== null && <ExpressionPreview workflow={draft.id} path="" />}
    </PageFrame>
  );
}

export function DocumentJsonScreen({ draft, lastResult, issues }: DraftScreenProps & { issues: readonly WorkflowIssue[] }) {
  const { t } = useTranslation('workflows');
  return (
    <PageFrame
      title={t('json.title')}
      description={t('json.description')}
      breadcrumbs={useCrumbs(draft, true)}
      actions={
        <ButtonLink to={href('/dashboard/workflows/:workflow/file', { workflow: draft.id })} reloadDocument>
          {t('json.download')}
        </ButtonLink>
      }
    >
      <DocumentJsonForm draft={draft} lastResult={lastResult} issues={issues} />
    </PageFrame>
  );
}
