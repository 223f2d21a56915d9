import { useTranslation } from 'react-i18next';
import { CONDITION_TESTS, type ConditionTest, type RULE_ACTIONS, type RuleCondition } from '#app/domain/audit/policy-rule.ts';

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
} as const;

const KINDS = {
  email: 'rule.kinds.email',
  phone: 'rule.kinds.phone',
  iban: 'rule.kinds.iban',
  payment_card: 'rule.kinds.paymentCard',
  national_id: 'rule.kinds.nationalId',
} as const;

export const ACTION_WORDS = {
  call_tool: 'rule.actions.tool',
  call_agent: 'rule.actions.agent',
  call_model: 'rule.actions.model',
} as const satisfies Record<(typeof RULE_ACTIONS)[number], string>;

/** The content of a condition, without its negation. */
export function useConditionWords(): (condition: Pick<RuleCondition, 'test' | 'value'>) => string {
  const { t } = useTranslation('policies');
  return ({ test, value }) => {
    switch (test) {
      case 'personalDataKind':
        return t('rule.tests.personalDataKind', { kind: value in KINDS ? t(KINDS[value as keyof typeof KINDS]) : value });
      case 'connectionIs':
        return t('rule.tests.connectionIs', { connection: value });
      case 'nameIs':
        return value === '' ? t('rule.tests.nameIsTyped') : t('rule.tests.nameIs', { name: value });
      case 'findingsAtLeast':
        return value === '' ? t('rule.tests.findingsTyped') : t('rule.tests.findingsAtLeast', { count: Number(value) });
      default:
        return t(TESTS[test]);
    }
  };
}

/** All options of a condition, with the present choice. */
export function conditionChoices(
  connections: readonly string[],
  present: readonly RuleCondition[],
): Pick<RuleCondition, 'test' | 'value'>[] {
  const valuesOf = (test: ConditionTest, known: readonly string[]) => [
    ...new Set([...known, ...present.filter((one) => one.test === test).map((one) => one.value)]),
  ];
  return CONDITION_TESTS.flatMap((test): Pick<RuleCondition, 'test' | 'value'>[] => {
    if (test === 'personalDataKind') return valuesOf(test, Object.keys(KINDS)).map((value) => ({ test, value }));
    if (test === 'connectionIs') return valuesOf(test, connections).map((value) => ({ test, value }));
    return [{ test, value: '' }];
  });
}
