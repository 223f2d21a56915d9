import { useTranslation } from 'react-i18next';
import { assertNever } from '#app/domain/assert-never.ts';
import type { StepKind } from '#app/domain/statuses.ts';
import { AUTHORED_AGENTS } from '#app/domain/workflows/agent.ts';
import type { Step } from '#app/domain/workflows/workflow.ts';

/** The words for a step: its kind, what it calls, asks or computes, and the same as shortly as a card has room for. */
export function useStepWords(): { kinds: Record<StepKind, string>; target: (step: Step) => string; note: (step: Step) => string } {
  const { t } = useTranslation('flow');
  const kinds: Record<StepKind, string> = {
    tool: t('kinds.tool'),
    agent: t('kinds.agent'),
    model: t('kinds.model'),
    approval: t('kinds.approval'),
    branch: t('kinds.branch'),
    transform: t('kinds.transform'),
  };
  const target = (step: Step): string => {
    switch (step.kind) {
      case 'tool':
      case 'agent':
      case 'model':
        if (step.connection === AUTHORED_AGENTS) return t('ownAgent');
        if (step.capability !== null) return `${step.capability} · ${step.connection ?? ''}`;
        return step.task === '' ? t('noTarget') : t('routed', { task: step.task });
      case 'approval':
        return step.question;
      case 'transform':
        return step.expression;
      case 'branch':
        return step.mode === 'choose' ? t('choose') : t('parallel');
      default:
        return assertNever(step);
    }
  };
  const note = (step: Step): string => {
    if (step.kind === 'branch') return step.mode === 'choose' ? t('chooseShort') : t('parallelShort');
    return target(step);
  };
  return { kinds, target, note };
}
