import { useTranslation } from 'react-i18next';
import { href } from 'react-router';
import { AppForm } from '#app/components/form/app-form.tsx';
import { CheckboxField, CheckboxGroupField, RadioGroupField, SelectField } from '#app/components/form/choice-fields.tsx';
import type { FormField } from '#app/components/form/field-parts.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { TextAreaField, TextField } from '#app/components/form/text-fields.tsx';
import { RevisionInput } from '#app/components/form/unsaved/revision-input.tsx';
import { useAppForm } from '#app/components/form/use-app-form.ts';
import { PageFrame } from '#app/components/page/page-frame.tsx';
import { Section } from '#app/components/page/section.tsx';
import { ROLES } from '#app/contracts/people.ts';
import { RULE_ACTIONS, RULE_VERDICTS } from '#app/domain/audit/policy-rule.ts';
import { ChangeFields, DemandFields } from '#app/features/policies/rules/demand-fields.tsx';
import type { LoadedRule } from '#app/features/policies/rules/load-rule.server.ts';
import type { RuleAnswer } from '#app/features/policies/rules/rule-action.server.ts';
import { ROLE_WORDS } from '#app/features/policies/rules/rule-card.tsx';
import { inputRowOf, pathKey, rowOf, ruleSchema, SPARE_INPUTS } from '#app/features/policies/rules/rule-schema.ts';
import { ACTION_WORDS, conditionChoices, useConditionWords } from '#app/features/policies/rules/rule-words.ts';
import { ToolInputFields } from '#app/features/policies/rules/tool-input-fields.tsx';

const SPARE_ROWS = 3;
const EMPTY_ROW = { what: '', holds: 'if' as const, value: '' };
const EMPTY_INPUT = { field: '', comparison: 'is' as const, holds: 'if' as const, value: '' };

/** One rule of a policy's draft, without its text: who, what, on which conditions, with what effect. */
export function RuleFormPage({ rule, answer }: { rule: LoadedRule; answer: RuleAnswer | undefined }) {
  const { t } = useTranslation('policies');
  const { t: common } = useTranslation('common');
  const wordsOf = useConditionWords(rule.workflows);
  const { form: given, policy, revision, isNew } = rule;
  const shown = answer?.shown ?? rule.shown;
  const { form, fields } = useAppForm(ruleSchema, {
    lastResult: answer?.form,
    defaultValue: {
      ...{ revision, id: given.id, verdict: given.verdict, reason: given.reason, role: given.role, actions: given.actions },
      ...{ approvers: given.approvers, dueHours: given.dueHours, monitors: given.monitors ? 'on' : '' },
      ...{ deciders: given.deciders, group: given.group, reauthenticate: given.reauthenticate },
      ...{ changeHow: given.change?.how ?? '', changeField: given.change === null ? '' : pathKey(given.change.path) },
      changeLimit: given.change?.how === 'cap' ? String(given.change.limit) : '',
      conditions: [...given.conditions.map(rowOf), ...Array.from({ length: SPARE_ROWS }, () => EMPTY_ROW)],
      tool: given.tool,
      inputs: [...given.inputs.map(inputRowOf), ...Array.from({ length: shown.fields.length === 0 ? 0 : SPARE_INPUTS }, () => EMPTY_INPUT)],
    },
  });
  const rows = fields.conditions.getFieldList();
  const choices = conditionChoices(rule, given.conditions).map((choice) => ({
    value: rowOf({ ...choice, holds: true }).what,
    label: wordsOf(choice),
  }));
  const labels = Object.fromEntries(
    [...rows, ...fields.inputs.getFieldList()].map((row, index) => [`${row.name}.value`, t('rule.condition', { number: index + 1 })]),
  );
  const base = href('/dashboard/policies/:policy', { policy: policy.id });
  return (
    <PageFrame
      title={isNew ? t('rule.newTitle') : t('rule.title', { rule: given.id })}
      description={t('rule.description')}
      breadcrumbs={[
        { label: t('list.title'), to: href('/dashboard/policies') },
        { label: policy.name, to: base },
        { label: t('detail.edit'), to: href('/dashboard/policies/:policy/edit', { policy: policy.id }) },
      ]}
    >
      <AppForm form={form} labels={labels}>
        <RevisionInput revision={revision} of={given} />
        <RadioGroupField
          field={fields.verdict}
          label={t('rule.effect')}
          options={RULE_VERDICTS.map((verdict) => ({
            value: verdict,
            label: common(VERDICT_WORDS[verdict]),
            hint: t(`rule.effects.${verdict === 'require_approval' ? 'requireApproval' : verdict}`),
          }))}
        />
        <DemandFields fields={fields} groups={rule.groups} group={given.group} />
        <CheckboxField field={fields.monitors} label={t('rule.monitors')} hint={t('rule.monitorsHint')} />
        <CheckboxGroupField
          field={fields.actions}
          label={t('rule.calls')}
          hint={t('rule.callsHint')}
          options={RULE_ACTIONS.map((action) => ({ value: action, label: t(ACTION_WORDS[action]) }))}
        />
        <SelectField
          field={fields.role}
          label={t('rule.who')}
          hint={t('rule.whoHint')}
          placeholder={t('rule.anybody')}
          options={ROLES.map((role) => ({ value: role, label: t(ROLE_WORDS[role]) }))}
        />
        <ToolInputFields field={fields.tool} rows={fields.inputs.getFieldList()} tools={rule.tools} shown={shown} present={given.inputs} />
        <ChangeFields fields={fields} tool={shown.fields} present={given.change?.path} />
        <Section title={t('rule.conditions')} description={t('rule.conditionsText')}>
          <div className="grid gap-6">
            {rows.map((row, index) => (
              <ConditionRow key={row.key} number={index + 1} fields={row.getFieldset()} choices={choices} />
            ))}
          </div>
        </Section>
        <Section title={t('rule.naming')}>
          <div className="grid gap-6">
            <TextAreaField field={fields.reason} label={t('rule.reason')} hint={t('rule.reasonHint')} rows={2} />
            <TextField field={fields.id} label={t('rule.id')} hint={t('rule.idHint')} code />
          </div>
        </Section>
        <div className="flex flex-wrap gap-3">
          <SubmitButton name="intent" value="save" busyLabel={t('edit.saving')}>
            {t('rule.save')}
          </SubmitButton>
          {isNew ? null : (
            <SubmitButton variant="danger" name="intent" value="remove">
              {t('rule.remove')}
            </SubmitButton>
          )}
        </div>
      </AppForm>
    </PageFrame>
  );
}

const VERDICT_WORDS = {
  deny: 'status.deny',
  require_approval: 'status.requireApproval',
  warn: 'status.warn',
  transform: 'status.transform',
} as const;

type RowFields = { what: FormField; holds: FormField; value: FormField };

function ConditionRow({
  number,
  fields,
  choices,
}: {
  number: number;
  fields: RowFields;
  choices: readonly { value: string; label: string }[];
}) {
  const { t } = useTranslation('policies');
  return (
    <fieldset className="grid items-end gap-3 sm:grid-cols-[10rem_minmax(0,1fr)_12rem]">
      <legend className="sr-only">{t('rule.condition', { number })}</legend>
      <SelectField
        field={fields.holds}
        label={t('rule.whether')}
        options={[
          { value: 'if', label: t('rule.if') },
          { value: 'unless', label: t('rule.unless') },
        ]}
      />
      <SelectField field={fields.what} label={t('rule.condition', { number })} placeholder={t('rule.noCondition')} options={choices} />
      <TextField field={fields.value} label={t('rule.value')} optional />
    </fieldset>
  );
}
