import { useTranslation } from 'react-i18next';
import { SelectField } from '#app/components/form/choice-fields.tsx';
import type { FormField } from '#app/components/form/field-parts.tsx';
import { NumberField, TextField } from '#app/components/form/text-fields.tsx';
import { Section } from '#app/components/page/section.tsx';
import { DECIDERS, PROOFS } from '#app/domain/audit/policy-rule.ts';
import type { ToolField } from '#app/engine/policy/inputs/tool-fields.ts';
import { fieldName } from '#app/features/policies/rules/input-words.ts';
import { ROLE_WORDS } from '#app/features/policies/rules/rule-card.tsx';
import { CHANGES, pathKey } from '#app/features/policies/rules/rule-schema.ts';

type Fields<Name extends string> = Record<Name, FormField>;

/** The demands of a rule on an approval: how many, by when, whose, and how they prove that it is them. `group`: of the saved rule. */
export function DemandFields({
  fields,
  groups,
  group,
}: {
  fields: Fields<'approvers' | 'dueHours' | 'deciders' | 'group' | 'reauthenticate'>;
  groups: readonly string[];
  group: string;
}) {
  const { t } = useTranslation('policies');
  return (
    <>
      <NumberField field={fields.approvers} label={t('rule.approvers')} hint={t('rule.approversHint')} optional />
      <NumberField field={fields.dueHours} label={t('rule.dueHours')} hint={t('rule.dueHoursHint')} unit={t('rule.hours')} optional />
      <SelectField
        field={fields.deciders}
        label={t('rule.deciders')}
        hint={t('rule.decidersHint')}
        placeholder={t('rule.approversDecide')}
        options={DECIDERS.map((role) => ({ value: role, label: t(ROLE_WORDS[role]) }))}
      />
      <SelectField
        field={fields.group}
        label={t('rule.group')}
        hint={groups.length === 0 ? t('rule.noGroups') : t('rule.groupHint')}
        placeholder={t('rule.anyGroup')}
        options={[...new Set([...groups, ...(group === '' ? [] : [group])])].map((name) => ({
          value: name,
          label: name,
        }))}
      />
      <SelectField
        field={fields.reauthenticate}
        label={t('rule.reauthenticate')}
        hint={t('rule.reauthenticateHint')}
        placeholder={t('rule.asRiskAsks')}
        options={PROOFS.map((proof) => ({ value: proof, label: t(`rule.proofs.${proof}`) }))}
      />
    </>
  );
}

/** The field of the tool's input that a rule changes. `tool`: its fields, `present`: that of the saved rule. */
export function ChangeFields({
  fields,
  tool,
  present,
}: {
  fields: Fields<'changeHow' | 'changeField' | 'changeLimit'>;
  tool: readonly ToolField[];
  present: readonly string[] | undefined;
}) {
  const { t } = useTranslation('policies');
  return (
    <Section title={t('rule.change')} description={t('rule.changeText')}>
      <div className="grid items-end gap-3 sm:grid-cols-2 lg:grid-cols-[15rem_minmax(0,1fr)_12rem]">
        <SelectField
          field={fields.changeHow}
          label={t('rule.changeHow')}
          placeholder={t('rule.noChange')}
          options={CHANGES.map((how) => ({ value: how, label: t(`rule.changesTo.${how}`) }))}
        />
        <SelectField
          field={fields.changeField}
          label={t('rule.changeField')}
          placeholder={t('rule.noField')}
          options={changeable(tool, present)}
        />
        <TextField field={fields.changeLimit} label={t('rule.changeLimit')} optional />
      </div>
    </Section>
  );
}

/** The fields that a rule may change, and that of the saved rule even where the tool has it no longer. */
function changeable(fields: readonly ToolField[], present: readonly string[] | undefined) {
  const paths = fields.filter(({ kind }) => kind !== 'truth' && kind !== 'list').map(({ path }) => path);
  const all = present === undefined || paths.some((path) => pathKey(path) === pathKey(present)) ? paths : [...paths, present];
  return all.map((path) => ({ value: pathKey(path), label: fieldName(path) }));
}
