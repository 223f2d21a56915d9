import { useTranslation } from 'react-i18next';
import { DescriptionList } from '#app/components/page/description-list.tsx';
import { useFormats } from '#app/components/text/locale-context.tsx';
import { revealedText } from '#app/domain/connections/hidden-text.ts';
import type { EvidenceList } from '#app/domain/control/evidence-export-schema.ts';

/** `framework`: the name of the law or standard, in the reader's language. */
export type ShownExport =
  | { kind: 'pack'; framework: string; from: string; until: string; seed: string }
  | { kind: 'log'; from: number; until: number }
  | { kind: 'table'; list: EvidenceList; filter: string };

const filterText = (query: string) => revealedText([...new URLSearchParams(query)].map(([name, value]) => `${name}=${value}`).join(' · '));

/** The evidence that leaves the workspace, in words; `more`: further facts. Needs the namespace control. */
export function ExportFacts({ asked, more = [] }: { asked: ShownExport; more?: Parameters<typeof DescriptionList>[0]['items'] }) {
  const { t } = useTranslation('control');
  const formats = useFormats();
  const code = (text: string) => (
    <code className="wrap-anywhere" dir="ltr">
      {text}
    </code>
  );
  const facts = () => {
    switch (asked.kind) {
      case 'pack':
        return [
          { term: t('export.what'), description: t('export.pack', { framework: asked.framework }) },
          { term: t('export.period'), description: t('export.days', { from: formats.day(asked.from), until: formats.day(asked.until) }) },
          { term: t('export.seed'), description: code(asked.seed) },
        ];
      case 'log':
        return [
          {
            term: t('export.what'),
            description: t('export.log', { from: formats.number(asked.from), until: formats.number(asked.until) }),
          },
        ];
      case 'table':
        return [
          { term: t('export.what'), description: t(`export.table.${asked.list}`) },
          { term: t('export.filter'), description: asked.filter === '' ? t('export.noFilter') : code(filterText(asked.filter)) },
        ];
    }
  };
  return <DescriptionList items={[...facts(), ...more]} />;
}
