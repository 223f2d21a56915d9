import { useTranslation } from 'react-i18next';
import { SelectField } from '#app/components/form/choice-fields.tsx';
import type { FormField, FormFieldset } from '#app/components/form/field-parts.tsx';
import { partOf } from '#app/components/form/field-parts.tsx';
import { SubmitButton } from '#app/components/form/submit-button.tsx';
import { TextField } from '#app/components/form/text-fields.tsx';
import { Section } from '#app/components/page/section.tsx';
import { COMPARISONS_OF, INPUT_COMPARISONS, type InputCondition } from '#app/domain/audit/rule-input.ts';
import { revealedText } from '#app/domain/connections/hidden-text.ts';
import { COMPARISON_WORDS, fieldName, useFieldWords } from '#app/features/policies/rules/input-words.ts';
import type { ShownTool } from '#app/features/policies/rules/load-rule.server.ts';
import { pathKey } from '#app/features/policies/rules/rule-schema.ts';

/** The one tool that a rule is about, and conditions on the fields of its input. */
export function ToolInputFields({
  field,
  rows,
  tools,
  shown,
  present,
}: {
  field: FormField;
  rows: readonly FormFieldset[];
  tools: readonly string[];
  shown: ShownTool;
  /** Conditions of the saved rule: their fields can be chosen even where the tool has them no longer. */
  present: readonly InputCondition[];
}) {
  const { t } = useTranslation('policies');
  const wordsOf = useFieldWords();
  const names = [...new Set([...tools, ...[field.defaultValue].filter((name) => name !== '')])];
  const known = shown.fields.map(({ path }) => pathKey(path));
  const gone = [...new Set(present.map(({ path }) => pathKey(path)))].filter((key) => !known.includes(key));
  const fields = [
    ...shown.fields.map((one) => ({ value: pathKey(one.path), label: wordsOf(one) })),
    ...gone.map((key) => ({ value: key, label: fieldName(JSON.parse(key) as string[]) })),
  ];
  const usable = INPUT_COMPARISONS.filter(
    (one) => one === 'given' || gone.length > 0 || shown.fields.some(({ kind }) => COMPARISONS_OF[kind].includes(one)),
  );
  const comparisons = usable.map((value) => ({ value, label: t(COMPARISON_WORDS[value]) }));
  return (
    <Section title={t('rule.tool')} description={t('rule.toolText')}>
      <div className="grid gap-6">
        <div className="grid items-end gap-3 sm:grid-cols-[minmax(0,28rem)_auto] sm:justify-start">
          <SelectField
            field={field}
            label={t('rule.toolField')}
            placeholder={t('rule.noTool')}
            options={names.map((name) => ({ value: name, label: revealedText(name) }))}
            leftToRight
          />
          <SubmitButton variant="secondary" name="intent" value="fields">
            {t('rule.showFields')}
          </SubmitButton>
        </div>
        {shown.tool !== '' && fields.length === 0 ? <p className="text-muted">{t('rule.noFields')}</p> : null}
        {fields.length === 0
          ? null
          : rows.map((row, index) => <InputRow key={row.key} number={index + 1} row={row} fields={fields} comparisons={comparisons} />)}
      </div>
    </Section>
  );
}

function InputRow({
  number,
  row,
  fields,
  comparisons,
}: {
  number: number;
  row: FormFieldset;
  fields: readonly { value: string; label: string }[];
  comparisons: readonly { value: string; label: string }[];
}) {
  const { t } = useTranslation('policies');
  return (
    <fieldset className="grid items-end gap-3 sm:grid-cols-2 lg:grid-cols-[8rem_minmax(0,1fr)_10rem_10rem]">
      <legend className="sr-only">{t('rule.inputCondition', { number })}</legend>
      <SelectField
        field={partOf(row, 'holds')}
        label={t('rule.whether')}
        options={[
          { value: 'if', label: t('rule.if') },
          { value: 'unless', label: t('rule.unless') },
        ]}
      />
      <SelectField
        field={partOf(row, 'field')}
        label={t('rule.inputCondition', { number })}
        placeholder={t('rule.noCondition')}
        options={fields}
      />
      <SelectField field={partOf(row, 'comparison')} label={t('rule.comparison')} options={comparisons} />
      <TextField field={partOf(row, 'value')} label={t('rule.value')} optional />
    </fieldset>
  );
}
