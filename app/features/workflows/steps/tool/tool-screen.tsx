import { useTranslation } from 'react-i18next';
import type { ToolStep } from '#app/domain/workflows/steps/tool-step.ts';
import { CallStepForm } from '#app/features/workflows/steps/call/call-form.tsx';
import { callFormSchema, callOf } from '#app/features/workflows/steps/call/call-schema.ts';
import { type StepFormProps, stepScreen } from '#app/features/workflows/steps/step-screen.ts';

function ToolStepForm(props: StepFormProps<ToolStep>) {
  const { t } = useTranslation('workflows');
  return <CallStepForm {...props} targetLabel={t('step.tool')} />;
}

export const toolScreen = stepScreen({
  schema: callFormSchema,
  Form: ToolStepForm,
  read: (values): ToolStep => ({ ...callOf(values), kind: 'tool' }),
  followsTarget: true,
});
