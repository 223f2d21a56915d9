import type { ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';
import { Section } from '#app/components/page/section.tsx';
import type { MappingField } from '#app/features/workflows/steps/form/mapping-fields.ts';
import { MappingRow } from '#app/features/workflows/steps/form/mapping-row.tsx';

type Row = Pick<ComponentProps<typeof MappingRow>, 'name' | 'value'>;
type Pair = { name: string; key: string | undefined; getFieldset(): Row };

/** The input of what a step calls, a row for each field that it takes; nothing where it takes none. */
export function MappingSection({ pairs, mappings, title }: { pairs: readonly Pair[]; mappings: readonly MappingField[]; title: string }) {
  const { t } = useTranslation('workflows');
  if (mappings.length === 0) return null;
  return (
    <Section title={title} description={t('step.inputHint')}>
      <div className="grid gap-6">
        {pairs.map((pair, index) => {
          const mapping = mappings[index];
          const { name, value } = pair.getFieldset();
          return <MappingRow key={pair.key} name={name} value={value} {...(mapping === undefined ? {} : { mapping })} />;
        })}
      </div>
    </Section>
  );
}

/** Their names in the error summary. */
export const mappingLabels = (pairs: readonly Pair[], mappings: readonly MappingField[]): Record<string, string> =>
  Object.fromEntries(pairs.map((pair, index) => [`${pair.name}.value`, mappings[index]?.title ?? pair.name]));
