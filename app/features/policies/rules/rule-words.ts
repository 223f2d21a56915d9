import { useTranslation } from 'react-i18next';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { CONDITION_TESTS, type ConditionTest, type RULE_ACTIONS, type RuleCondition, WEEKDAYS } from '#app/domain/audit/policy-rule.ts';

const TESTS = {
  personalData: 'rule.tests.personalData',
  riskHigh: 'rule.tests.riskHigh',
  riskMedium: 'rule.tests.riskMedium',
  riskLow: 'rule.tests.riskLow',
  connectionApproved: 'rule.tests.connectionApproved',
  connectionBuiltIn: 'rule.tests.connectionBuiltIn',
  mcp: 'rule.tests.mcp',
  a2a: 'rule.tests.a2a',
  model: 'rule.tests.model',
  app: 'rule.tests.app',
  stateApproved: 'rule.tests.stateApproved',
  stateChanged: 'rule.tests.stateChanged',
  statePending: 'rule.tests.statePending',
  stateRemoved: 'rule.tests.stateRemoved',
  modeLive: 'rule.tests.modeLive',
  modeTest: 'rule.tests.modeTest',
  somebodyApproved: 'rule.tests.somebodyApproved',
  requesterIsAuthor: 'rule.tests.requesterIsAuthor',
  newPayee: 'rule.tests.newPayee',
} as const;

export const KIND_WORDS = {
  email: 'rule.kinds.email',
  phone: 'rule.kinds.phone',
  iban: 'rule.kinds.iban',
  payment_card: 'rule.kinds.paymentCard',
  national_id: 'rule.kinds.nationalId',
} as const;

export const DAY_WORDS = {
  monday: 'rule.days.monday',
  tuesday: 'rule.days.tuesday',
  wednesday: 'rule.days.wednesday',
  thursday: 'rule.days.thursday',
  friday: 'rule.days.friday',
  saturday: 'rule.days.saturday',
  sunday: 'rule.days.sunday',
} as const satisfies Record<(typeof WEEKDAYS)[number], string>;

/** Tests of a text that is typed: how they read with it, and as a choice before it is typed. */
const TYPED = {
  nameIs: ['rule.tests.nameIs', 'rule.tests.nameIsTyped'],
  agentIs: ['rule.tests.agentIs', 'rule.tests.agentIsTyped'],
  hostIs: ['rule.tests.hostIs', 'rule.tests.hostIsTyped'],
} as const;

export const ACTION_WORDS = {
  call_tool: 'rule.actions.tool',
  call_agent: 'rule.actions.agent',
  call_model: 'rule.actions.model',
} as const satisfies Record<(typeof RULE_ACTIONS)[number], string>;

/** The content of a condition, without its negation. `workflows`: names by id; without its name a workflow shows its id. */
export function useConditionWords(
  workflows: Readonly<Record<string, string>> = {},
): (condition: Pick<RuleCondition, 'test' | 'value'>) => string {
  const { t } = useTranslation('policies');
  const { money, number } = useFormats();
  return ({ test, value }) => {
    switch (test) {
      case 'personalDataKind':
        return t('rule.tests.personalDataKind', { kind: value in KIND_WORDS ? t(KIND_WORDS[value as keyof typeof KIND_WORDS]) : value });
      case 'connectionIs':
        return t('rule.tests.connectionIs', { connection: value });
      case 'workflowIs':
        return t('rule.tests.workflowIs', { workflow: workflows[value] ?? value });
      case 'weekdayIs':
        return t('rule.tests.weekdayIs', { day: t(DAY_WORDS[value as keyof typeof DAY_WORDS]) });
      case 'nameIs':
      case 'agentIs':
      case 'hostIs':
        return value === '' ? t(TYPED[test][1]) : t(TYPED[test][0], { name: value });
      case 'hourAtLeast':
        return value === '' ? t('rule.tests.hourTyped') : t('rule.tests.hourAtLeast', { hour: value.padStart(2, '0') });
      case 'callsAtLeast':
        return value === '' ? t('rule.tests.callsTyped') : t('rule.tests.callsAtLeast', { number: number(Number(value)) });
      case 'groupIs':
        return t('rule.tests.groupIs', { group: value });
      case 'approvalsAtLeast':
        return value === '' ? t('rule.tests.approvalsTyped') : t('rule.tests.approvalsAtLeast', { number: number(Number(value)) });
      case 'payeeCallsAtLeast':
        return value === '' ? t('rule.tests.payeeCallsTyped') : t('rule.tests.payeeCallsAtLeast', { number: number(Number(value)) });
      case 'callsTodayAtLeast':
        return value === '' ? t('rule.tests.callsTodayTyped') : t('rule.tests.callsTodayAtLeast', { number: number(Number(value)) });
      case 'costTodayAtLeast':
        return value === ''
          ? t('rule.tests.costTodayTyped')
          : t('rule.tests.costTodayAtLeast', { amount: money(Number(value) * 1_000_000) });
      case 'costAtLeast':
        return value === '' ? t('rule.tests.costTyped') : t('rule.tests.costAtLeast', { amount: money(Number(value) * 1_000_000) });
      case 'findingsAtLeast':
        return value === '' ? t('rule.tests.findingsTyped') : t('rule.tests.findingsAtLeast', { count: Number(value) });
      default:
        return t(TESTS[test]);
    }
  };
}

/** All options of a condition, with the present choice. */
export function conditionChoices(
  {
    connections,
    workflows,
    groups,
  }: { connections: readonly string[]; workflows: Readonly<Record<string, string>>; groups: readonly string[] },
  present: readonly RuleCondition[],
): Pick<RuleCondition, 'test' | 'value'>[] {
  const valuesOf = (test: ConditionTest, known: readonly string[]) => [
    ...new Set([...known, ...present.filter((one) => one.test === test).map((one) => one.value)]),
  ];
  return CONDITION_TESTS.flatMap((test): Pick<RuleCondition, 'test' | 'value'>[] => {
    if (test === 'personalDataKind') return valuesOf(test, Object.keys(KIND_WORDS)).map((value) => ({ test, value }));
    if (test === 'connectionIs') return valuesOf(test, connections).map((value) => ({ test, value }));
    if (test === 'workflowIs') return valuesOf(test, Object.keys(workflows)).map((value) => ({ test, value }));
    if (test === 'groupIs') return valuesOf(test, groups).map((value) => ({ test, value }));
    if (test === 'weekdayIs') return WEEKDAYS.map((value) => ({ test, value }));
    return [{ test, value: '' }];
  });
}
