import { useTranslation } from 'react-i18next';
import { useFormats } from '#app/components/text/locale-context.tsx';
import type { InputComparison, InputCondition, InputKind } from '#app/domain/audit/rule-input.ts';
import { revealedText } from '#app/domain/connections/hidden-text.ts';
import type { ToolField } from '#app/engine/policy/inputs/tool-fields.ts';

/** How a comparison reads as a choice. */
export const COMPARISON_WORDS = {
  above: 'rule.comparisons.above',
  atLeast: 'rule.comparisons.atLeast',
  below: 'rule.comparisons.below',
  atMost: 'rule.comparisons.atMost',
  is: 'rule.comparisons.is',
  begins: 'rule.comparisons.begins',
  contains: 'rule.comparisons.contains',
  yes: 'rule.comparisons.yes',
  given: 'rule.comparisons.given',
} as const satisfies Record<InputComparison, string>;

const SENTENCES = {
  above: 'rule.inputs.above',
  atLeast: 'rule.inputs.atLeast',
  below: 'rule.inputs.below',
  atMost: 'rule.inputs.atMost',
  is: 'rule.inputs.is',
  begins: 'rule.inputs.begins',
  contains: 'rule.inputs.contains',
  yes: 'rule.inputs.yes',
  given: 'rule.inputs.given',
} as const satisfies Record<InputComparison, string>;

const KIND_WORDS = {
  decimal: 'rule.fieldKinds.decimal',
  whole: 'rule.fieldKinds.whole',
  text: 'rule.fieldKinds.text',
  truth: 'rule.fieldKinds.truth',
  list: 'rule.fieldKinds.list',
} as const satisfies Record<InputKind, string>;

/** Names inside others; a peer chose them, so what cannot be seen in them is spelled out. */
export const fieldName = (path: readonly string[]): string => revealedText(path.join(' › '));

/** A field with its type and bounds. */
export function useFieldWords(): (field: ToolField) => string {
  const { t } = useTranslation('policies');
  const { number } = useFormats();
  return ({ path, kind, optional, bounds: { least, most, longest, values } }) => {
    const said = [
      t(KIND_WORDS[kind]),
      least !== null && most !== null ? t('rule.bounds.between', { least: number(least), most: number(most) }) : null,
      least !== null && most === null ? t('rule.bounds.least', { least: number(least) }) : null,
      least === null && most !== null ? t('rule.bounds.most', { most: number(most) }) : null,
      longest === null ? null : t('rule.bounds.longest', { count: longest }),
      values.length === 0 ? null : values.map(revealedText).join(' / '),
      optional ? t('rule.bounds.optional') : null,
    ];
    return `${fieldName(path)} (${said.filter((one) => one !== null).join(' · ')})`;
  };
}

/** A condition on the input in words, without its negation. */
export function useInputWords(): (condition: InputCondition) => string {
  const { t } = useTranslation('policies');
  const { number } = useFormats();
  return ({ path, kind, comparison, value }) => {
    const numeric = kind === 'decimal' || kind === 'whole';
    return t(SENTENCES[comparison], { field: fieldName(path), value: numeric ? number(Number(value)) : value });
  };
}
