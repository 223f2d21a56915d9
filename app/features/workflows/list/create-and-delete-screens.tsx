import { useTranslation } from 'react-i18next';
import { href } from 'react-router';
import { CommandForm } from '#app/components/form/command-form.tsx';
import type { FormResult } from '#app/components/form/use-app-form.ts';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { type FullPlan, PlanLimit } from '#app/components/page/plan-limit.tsx';
import { Button, ButtonLink } from '#app/components/ui/button.tsx';
import { useCrumbs } from '#app/features/workflows/crumbs.ts';
import { CreateWorkflowForm } from '#app/features/workflows/list/create-workflow-form.tsx';

export function CreateWorkflowScreen({
  template,
  full,
  lastResult,
}: {
  template: string;
  full: FullPlan | null;
  lastResult: FormResult | undefined;
}) {
  const { t } = useTranslation('workflows');
  return (
    <PageFrame
      title={t('create.title')}
      description={t('create.description')}
      breadcrumbs={useCrumbs()}
      actions={<ButtonLink to={href('/dashboard/workflows/import')}>{t('create.import')}</ButtonLink>}
    >
      <PlanLimit full={full} />
      <CreateWorkflowForm lastResult={lastResult} template={template} />
    </PageFrame>
  );
}

export function DeleteWorkflowScreen({ workflow }: { workflow: { id: string; name: string } }) {
  const { t } = useTranslation('workflows');
  return (
    <PageFrame title={t('delete.title', { name: workflow.name })} breadcrumbs={useCrumbs(workflow)}>
      <div className="grid max-w-measure gap-6">
        <p className="text-lg">{t('delete.question')}</p>
        <p className="text-muted">{t('delete.consequence')}</p>
        <CommandForm hidden={{}} className="flex flex-wrap gap-3">
          <Button variant="danger">{t('delete.confirm')}</Button>
          <ButtonLink to={href('/dashboard/workflows/:workflow', { workflow: workflow.id })} variant="quiet">
            {t('delete.keep')}
          </ButtonLink>
        </CommandForm>
      </div>
    </PageFrame>
  );
}
