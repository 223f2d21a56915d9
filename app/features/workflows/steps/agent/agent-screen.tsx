import { useTranslation } from 'react-i18next';
import type { AgentStep } from '#app/domain/workflows/steps/agent-step.ts';
import { CallStepForm } from '#app/features/workflows/steps/call/call-form.tsx';
import { callFormSchema, callOf } from '#app/features/workflows/steps/call/call-schema.ts';
import { type StepFormProps, stepScreen } from '#app/features/workflows/steps/step-screen.ts';

function AgentStepForm(props: StepFormProps<AgentStep>) {
  const { t } = useTranslation('workflows');
  return <CallStepForm {...props} targetLabel={t('step.skill')} />;
}

export const agentScreen = stepScreen({
  schema: callFormSchema,
  Form: AgentStepForm,
  read: (values): AgentStep => ({ ...callOf(values), kind: 'agent' }),
  followsTarget: true,
});
